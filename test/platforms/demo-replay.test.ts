import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoCallId } from '../../packages/demo-platform/calls.ts';
import { clinicPlan } from '../../packages/demo-platform/clinic/plan.ts';
import { parcelPlan } from '../../packages/demo-platform/parcel/plan.ts';
import type { AgentPlan } from '../../packages/demo-platform/plan.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { nextMove } from '../../src/domain/runs/caller.ts';
import { fixturesLeft } from '../../src/domain/runs/fixtures.ts';
import { noFixtureOf, type PlayedStep, playedCallOf } from '../../src/domain/runs/played-steps.ts';
import { findingsOf } from '../../src/domain/runs/simulated-call.ts';
import { decide } from '../../src/domain/tests/checks.ts';
import { specFromCall } from '../../src/domain/tests/from-call.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { CapturedVersion, PlatformAdapter } from '../../src/platforms/port.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { emptyTurn } from '../../src/platforms/turn-parts.ts';
import { type ReadDemoCall, readDemoCalls } from '../support/demo-calls.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const CALLS_OF_A_KIND = 8;

let demo: DemoPlatform;
let outbound: Outbound;
let adapter: PlatformAdapter;
let calls: Map<string, ReadDemoCall>;
const captured = new Map<string, CapturedVersion>();
beforeAll(async () => {
  demo = await startDemoPlatform({ port: 0, now: NOW });
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  adapter = createPlatforms({ outbound, demoUrl: demo.url }).adapter('demo');
  calls = new Map(readDemoCalls(NOW.getTime()).map((read) => [read.call.providerCallId, read]));
});
afterAll(async () => {
  await outbound?.close();
  await demo?.close();
});

async function versionOf(plan: AgentPlan, version: number): Promise<CapturedVersion> {
  const key = `${plan.providerAgentId}/${version}`;
  const connection = { baseUrl: demo.url, apiKey: 'demo' };
  const found =
    captured.get(key) ??
    (await adapter.captureVersion(connection, plan.providerAgentId, { version, ref: null, isCurrent: false }));
  captured.set(key, found);
  return found;
}

/** Plays a scripted test on the version of its call. @returns what its required checks say. */
async function play(spec: TestSpec, plan: AgentPlan, version: number): Promise<boolean[]> {
  const { configuration, document } = await versionOf(plan, version);
  const steps: PlayedStep[] = [];
  for (;;) {
    const move = nextMove(spec, steps);
    const made = { step: steps.length, messages: [], state: null, flowSteps: [], noFixture: [] };
    if (move.do === 'end') {
      const played = { ...playedCallOf(steps), endedBy: move.endedBy, noFixture: noFixtureOf(steps), trouble: null };
      const findings = findingsOf(played, { attemptId: 'a', version, configuration, thresholds: {} });
      return spec.criteria.flatMap(({ check, required }) =>
        required && check !== null ? [decide(check, played, configuration, findings).met === true] : [],
      );
    }
    if (move.do === 'caller is asked' || move.do === 'caller words' || adapter.simulation === null)
      throw new Error('nobody plays this caller');
    if (move.do === 'caller says') {
      const turns = [{ ...emptyTurn(0, 'caller', null), text: move.text }];
      steps.push({ ...made, by: 'caller', turns, ended: move.hangsUp ? 'caller' : null });
      continue;
    }
    const answer = await adapter.simulation.answer(
      { baseUrl: demo.url, apiKey: 'demo' },
      {
        providerAgentId: plan.providerAgentId,
        version,
        providerRef: null,
        configuration,
        document,
        messages: steps.flatMap(({ messages }) => messages),
        texts: {},
        copy: null,
        toolAddress: null,
        state: steps.findLast(({ by }) => by === 'agent')?.state ?? null,
        said: move.said,
        mocks: fixturesLeft(spec.fixtures, playedCallOf(steps).turns),
        token: 'a/call/2',
      },
    );
    steps.push({ ...made, ...answer, by: 'agent', flowSteps: answer.steps });
  }
}

/** How many of the first calls of a kind pass as tests that are made from them. */
async function passing(plan: AgentPlan, kind: string): Promise<{ passed: number; of: number }> {
  let [passed, of] = [0, 0];
  for (let nth = 0; nth < CALLS_OF_A_KIND; nth += 1) {
    const read = calls.get(demoCallId(plan, kind, nth));
    const made = read ? specFromCall({ ...read, signals: read.analysis.signals }) : null;
    if (!read || made === null) continue;
    of += 1;
    const met = await play(made.spec, plan, read.call.version);
    if (met.length > 0 && met.every(Boolean)) passed += 1;
  }
  return { passed, of };
}

test.each([
  ...['booking', 'moving', 'cancelling', 'handed over', 'emergency', 'reminder', 'new patient', 'changing mind'].map(
    (kind) => ['the reception', kind, clinicPlan] as const,
  ),
  ...['tracking', 'tracking with link', 'pickup', 'claim', 'shipping price', 'handed over', 'corrects number'].map(
    (kind) => ['the helpline', kind, parcelPlan] as const,
  ),
])('tests made from calls of %s that went well pass again: %s', async (_, kind, plan) => {
  const { passed, of } = await passing(plan, kind);
  expect(of).toBeGreaterThanOrEqual(6);
  expect(passed).toBeGreaterThanOrEqual(of - 1);
});

test.each([
  ['a variable that nothing fills', 'placeholder', clinicPlan],
  ['days that are handed on as they were said', 'other day', parcelPlan],
])('tests made from calls bring a planted fault to light: %s', async (_, kind, plan) => {
  const { passed, of } = await passing(plan, kind);
  expect(of).toBeGreaterThanOrEqual(6);
  expect(passed).toBeLessThan(of);
});
