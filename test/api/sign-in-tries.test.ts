import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keptCheaply } from '../support/cheap-password.ts';
import { useLink } from '../support/links.ts';
import { type Answered, createWorld, expectFailure, forgetBuckets, type World } from '../support/world.ts';

const PASSWORD = 'correct horse battery';
let world: World;
let email: string;
let addresses = 0;

beforeAll(async () => {
  world = await createWorld({ limited: true });
  const { personId } = await world.makeMember('member');
  email = `${personId}@example.com`;
  await rows(sql`update people set password_hash = ${keptCheaply(PASSWORD)} where id = ${personId}`);
});
afterAll(() => world.close());
beforeEach(() => forgetBuckets(world.database));

const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
  (await query.execute(world.database.em().getKysely())).rows;

/** Each time from another address, so that the limit of an address is never what refuses. */
function signIn(password: string, { as = email, cookie }: { as?: string; cookie?: string } = {}): Promise<Answered> {
  addresses += 1;
  return world.ask('POST', '/app/sign-in', {
    from: `10.1.${addresses >> 8}.${addresses & 255}`,
    body: { email: as, password },
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  });
}

const useUp = (as = email) => Promise.all(Array.from({ length: 10 }, () => signIn('wrong', { as })));

function deviceOf(answer: Answered): string {
  const set = [answer.headers['set-cookie'] ?? []].flat();
  return set.find((line) => line.startsWith('earshot_device='))?.split(';')[0] ?? '';
}

test('an account has ten tries, also when they come at once and from everywhere', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn('wrong')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('once they are used up even the right password is refused, and the answer says for how long', async () => {
  await useUp();
  const refused = await signIn(PASSWORD);
  expectFailure(refused, 429, 'rate_limited');
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(refused.body.error.message).toContain(`${seconds} second`);
});

test('an address that nobody has is refused after as many tries and in the same words', async () => {
  const nobody = 'nobody@example.com';
  const [known, unknown] = await Promise.all([useUp(), useUp(nobody)]);
  const shapes = (answers: Answered[]) =>
    answers.map(({ status, body }) => ({ status, code: body.error.code, message: body.error.message }));
  expect(shapes(unknown)).toEqual(shapes(known));
  const words = ({ body }: Answered) => body.error.message.replace(/\d+ seconds?/, 'some seconds');
  const [last, lastUnknown] = await Promise.all([signIn('wrong'), signIn('wrong', { as: nobody })]);
  expect(lastUnknown.status).toBe(429);
  expect(words(lastUnknown)).toBe(words(last));
});

test('another try comes with each minute, and the right password draws one too', async () => {
  await useUp();
  await rows(sql`update buckets set full_at = full_at - interval '1 minute' where name like 'sign-in:%'`);
  expect((await signIn(PASSWORD)).status).toBe(200);
  expect((await signIn('wrong')).status).toBe(429);
});

test('the right password is checked no more often than a wrong one', async () => {
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => signIn(PASSWORD)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(10).fill(429)]);
});

test('strangers who use up the tries of an address keep nobody from an invitation to it', async () => {
  const other = 'invited@example.com';
  const made = await world.ask('POST', '/app/members', {
    as: await world.token(),
    body: { email: other, name: 'Ann', role: 'member' },
  });
  await useUp(other);
  expect((await signIn('wrong', { as: other })).status).toBe(429);
  expect((await useLink(world, made, { password: PASSWORD })).status).toBe(200);
});

test('whoever uses up the tries of strangers does not lock out a browser that signed in before', async () => {
  const cookie = deviceOf(await signIn(PASSWORD));
  expect(cookie).toMatch(/^earshot_device=/);
  await useUp();
  expect((await signIn(PASSWORD)).status).toBe(429);
  expect((await signIn(PASSWORD, { cookie })).status).toBe(200);
  for (const forged of [`${cookie}x`, cookie.replace('=', '=x'), 'earshot_device=a.b', 'earshot_device=']) {
    expect((await signIn(PASSWORD, { cookie: forged })).status).toBe(429);
  }
});

test('a browser that is known to one account is a stranger to every other', async () => {
  const cookie = deviceOf(await signIn(PASSWORD));
  await useUp('somebody@example.com');
  expect((await signIn('wrong', { as: 'somebody@example.com', cookie })).status).toBe(429);
});

test('whoever has an account under the address of somebody else gains no tries at theirs, and hears of none', async () => {
  const planted = await world.makeWorkspace();
  const own = keptCheaply('of the planter');
  await rows(sql`update people set password_hash = ${own}, email = ${email} where id = ${planted.personId}`);
  const cookies = [deviceOf(await signIn('of the planter')), deviceOf(await signIn('of the planter'))];
  await useUp();
  for (const cookie of cookies) {
    expect((await signIn('of the planter', { cookie })).status).toBe(200);
    expect((await signIn('wrong', { cookie })).status).toBe(429);
    expect((await signIn(PASSWORD, { cookie })).status).toBe(429);
  }
  await forgetBuckets(world.database);
  await signIn('wrong');
  const alone = 'alone@example.com';
  await rows(sql`update people set email = ${alone} where id = ${planted.personId}`);
  await signIn('wrong', { as: alone });
  const refused = () =>
    rows(sql`select 1 from audit_entries where workspace_id = ${planted.workspaceId} and status = 401`);
  await expect.poll(async () => (await refused()).length).toBeGreaterThan(0);
  expect(await refused()).toHaveLength(1);
});

test('no address of anybody stands among the counted tries', async () => {
  await signIn('wrong');
  const names = await rows(sql<{ name: string }>`select name from buckets where name like 'sign-in:%'`);
  expect(names.length).toBeGreaterThan(0);
  expect(JSON.stringify(names)).not.toContain(email);
});

test('the present password of a person who is signed in has a limit of its own', async () => {
  const token = await world.token();
  const change = () =>
    world.ask('POST', '/app/password', {
      as: token,
      body: { currentPassword: 'wrong', newPassword: 'long enough now' },
    });
  const statuses = (await Promise.all(Array.from({ length: 11 }, change))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});
