import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AccessAct, type AccessState, step } from '../../../src/domain/access/machine.ts';
import { BEGIN, breachesOf, knowledgeAtFirst, moves, turnOf, VICTIM } from '../../support/access-actors.ts';

/** What a random walk came to, so that it is known to have been somewhere. */
const seen = { steps: 0, inBoth: 0, tookOver: 0, given: 0 };

test('no sequence of what two admins, an attacker and a victim do lets the attacker into a workspace of the victim', () => {
  fc.assert(
    fc.property(moves(1, 60), (walk) => {
      const knows = knowledgeAtFirst();
      let state = BEGIN;
      const done: AccessAct[] = [];
      for (const [at, move] of walk.entries()) {
        const turn = turnOf(state, knows, move, at);
        const next = turn && step(state, turn.act);
        if (!next) continue;
        turn.learn();
        state = next;
        done.push(turn.act);
        note(state, turn.act);
        // The acts stand beside the breach, so that a failure tells the way to it.
        expect({ breaches: breachesOf(state, knows), done }).toEqual({ breaches: [], done });
      }
    }),
    { numRuns: 6_000 },
  );
  expect(seen.steps).toBeGreaterThan(10_000);
  expect(seen.inBoth).toBeGreaterThan(100);
  expect(seen.tookOver).toBeGreaterThan(10);
  expect(seen.given).toBeGreaterThan(10);
});

function note(state: AccessState, act: AccessAct): void {
  seen.steps += 1;
  if (act.do === 'takeOver') seen.tookOver += 1;
  if (act.do === 'addWithPassword') seen.given += 1;
  const workspacesAt = (account: string) =>
    state.memberships.filter((one) => one.account === account).map(({ workspace }) => workspace);
  const isInBoth = Object.keys(state.accounts).some((account) => {
    const at = workspacesAt(account);
    return state.accounts[account]?.email === VICTIM.email && at.includes('A') && at.includes('B');
  });
  if (isInBoth) seen.inBoth += 1;
}
