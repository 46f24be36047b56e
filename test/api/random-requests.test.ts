import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEnvelope } from '../../src/contract/error.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { oddBodies, oddTexts } from '../support/odd-bodies.ts';
import { makeOneOfEach } from '../support/one-of-each.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let token: string;
const names: Record<string, string> = {};

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  Object.assign(names, await makeOneOfEach(world, await world.makeAgent({ provider: 'file' })), { secret: 'x' });
});
afterAll(() => world.close());

const odd = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...oddTexts), fc.uuid());
const segment = (name: string) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(names[name] ?? 'x') }, { weight: 1, arbitrary: odd });

// Events go on for as long as somebody listens.
const asked = OPERATIONS.filter(({ path }) => path !== '/app/events');

function operationOf(id: string): Operation {
  const operation = asked.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  return operation;
}

const queryOf = ({ query }: Operation) =>
  fc.array(fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(query), 'x'), odd), odd), { maxLength: 3 });

const request = fc.constantFrom(...asked).chain((operation) =>
  fc.record({
    id: fc.constant(operation.id),
    path: fc.record(Object.fromEntries(operation.pathParams.map((name) => [name, segment(name)]))),
    query: fc.oneof(fc.constant<[string, string][]>([]), queryOf(operation)),
    body: operation.body
      ? fc.oneof({ weight: 4, arbitrary: oddBodies(operation.body) }, { weight: 1, arbitrary: fc.jsonValue() })
      : fc.option(fc.jsonValue(), { nil: undefined }),
  }),
);

test('no request, however odd, is answered with anything but the contract', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ id, path, query, body }) => {
      const operation = operationOf(id);
      const params: Record<string, unknown> = path;
      const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(String(params[name])));
      const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
      const answer = await world.ask(operation.method, `${url}${search ? `?${search}` : ''}`, {
        as: operation.surface === 'v1' ? world.readKey : token,
        ...(operation.method === 'GET' ? {} : { body }),
      });
      const broken = answer.status < 500 ? null : { id, logged: world.logged.at(-1) };
      expect(broken).toBeNull();
      if (answer.status >= 400) expect(errorEnvelope.safeParse(answer.body).success).toBe(true);
      else if (operation.response) expect(operation.response.safeParse(answer.body).success).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

/** Lone surrogates cannot stand in an address at all. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
