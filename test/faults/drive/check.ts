import type { Finals } from './finals.ts';
import type { Journal } from './journal.ts';
import { isFinal } from './work.ts';

export interface Invariant {
  name: string;
  /** @returns what speaks against it, in words; nothing where it holds. */
  violations(journal: Journal, finals: Finals): string[];
}

const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
];
/** Of values that are told apart by a name. */
function groupsOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, nameOf).values()];
}

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'what was acknowledged is there',
    violations({ made, taken, erased }, finals) {
      const names = new Map([
        ...finals.tests.map(({ id, title }) => [id, title] as const),
        ...finals.watches.map(({ id }) => [id, null] as const),
        ...finals.drafts.map(({ id, title }) => [id, title] as const),
        ...finals.imports.map(({ id }) => [id, id] as const),
        ...finals.runs.map(({ id }) => [id, id] as const),
        ...finals.erasures.map(({ id }) => [id, id] as const),
      ]);
      const gone = new Set(erased.map(({ ref }) => ref));
      const calls = new Set(finals.calls.fed.map(({ ref }) => ref));
      return [
        ...made
          .filter(
            ({ what, id, name }) => what !== 'key' && (!names.has(id) || ![null, name].includes(names.get(id) ?? null)),
          )
          .map(({ what, id, name }) => `${what} ${id} (${name}) was made and is not there`),
        ...taken
          .filter(({ ref }) => !gone.has(ref) && !calls.has(ref))
          .map(({ ref }) => `record ${ref} was taken and is no call`),
      ];
    },
  },
  {
    name: 'what is there was asked for once and is there once',
    violations({ repeated: answers }, { tests, watches, calls, runs }) {
      return [
        ...repeated(tests.map(({ title }) => title)).map((title) => `two tests are called ${title}`),
        ...repeated(watches.map(({ name }) => name)).map((name) => `two watches are called ${name}`),
        ...repeated(calls.fed.map(({ ref }) => ref)).map((ref) => `call ${ref} is there twice`),
        ...repeated(calls.polled.map(({ ref }) => ref)).map((ref) => `call ${ref} is there twice`),
        ...runs.flatMap(({ id, attempts }) => repeated(attempts).map((one) => `run ${id} has attempt ${one} twice`)),
        ...answers
          .filter(({ ids }) => new Set(ids).size > 1)
          .map(({ key, ids }) => `Idempotency-Key ${key} was answered with ${ids.join(' and ')}`),
      ];
    },
  },
  {
    name: 'what a platform had is imported',
    violations(_, { calls, offered }) {
      const there = new Set(calls.polled.map(({ ref }) => ref));
      return offered.filter((ref) => !there.has(ref)).map((ref) => `call ${ref} of the platform was not imported`);
    },
  },
  {
    name: 'every call is read',
    violations(_, { calls }) {
      return [...calls.fed, ...calls.polled]
        .filter(({ outcome }) => outcome === null)
        .map(({ ref }) => `call ${ref} has no outcome`);
    },
  },
  {
    name: 'what was begun ends',
    violations(_, { imports, runs, erasures }) {
      const open = (what: 'import' | 'run' | 'erasure', list: readonly { id: string; status: string }[]) =>
        list.filter(({ status }) => !isFinal(what, status)).map(({ id, status }) => `${what} ${id} is still ${status}`);
      return [...open('import', imports), ...open('run', runs), ...open('erasure', erasures)];
    },
  },
  {
    name: 'nothing fails for a fault that passed',
    violations(_, { imports, runs, erasures }) {
      return [...imports, ...runs, ...erasures]
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => `${id} failed, although everything came back`);
    },
  },
  {
    name: 'progress never falls and ends stay',
    violations({ seen }) {
      return groupsOf(seen, ({ what, id }) => `${what} ${id}`).flatMap((sightings) =>
        sightings.slice(1).flatMap((now, at) => {
          const before = sightings[at];
          if (!before) return [];
          if (isFinal(before.what, before.status) && now.status !== before.status) {
            return [`${now.what} ${now.id} was ${before.status} and then ${now.status}`];
          }
          const [was, is] = [`${before.done} of ${before.total}`, `${now.done} of ${now.total}`];
          if (now.done < before.done) return [`${now.what} ${now.id} fell from ${was} to ${is}`];
          return now.total !== null && now.done > now.total ? [`${now.what} ${now.id} has ${is}`] : [];
        }),
      );
    },
  },
  {
    name: 'sums of a run add up and its result never changes',
    violations({ results }, { runs }) {
      return [
        ...runs
          .filter(({ status, cells, counted }) => status === 'complete' && cells !== counted)
          .map(({ id, cells, counted }) => `run ${id} counts ${counted} of its ${cells} cells`),
        ...groupsOf(results, ({ runId }) => runId)
          .filter((read) => new Set(read.map(({ bytes }) => bytes)).size > 1)
          .map(([first]) => `the result of run ${first?.runId} changed`),
      ];
    },
  },
  {
    name: 'money is spent once and within its budget',
    violations({ spent }, { runs, keys }) {
      const cost = runs.filter(({ isPaidByKey }) => isPaidByKey).reduce((sum, { costUsd }) => sum + costUsd, 0);
      const keyId = spent[0]?.keyId;
      const booked = keys.find(({ id }) => id === keyId)?.spentUsd;
      return [
        ...spent
          .filter(({ usd, budgetUsd }) => usd > budgetUsd)
          .map(({ usd }) => `${usd} USD were spent, over the budget`),
        ...(booked === undefined || Math.abs(booked - cost) < 0.01
          ? []
          : [`the key was charged ${booked} USD, and its runs cost ${cost}`]),
      ];
    },
  },
  {
    name: 'every run is told of, always in the same words',
    violations(_, { runs, deliveries }) {
      const told = new Set(deliveries.filter(({ isTaken }) => isTaken).map(({ runId }) => runId));
      return [
        ...runs
          .filter(({ id, status }) => status === 'complete' && !told.has(id))
          .map(({ id }) => `nobody was told that run ${id} is complete`),
        ...groupsOf(deliveries, ({ messageId }) => messageId)
          .filter((same) => new Set(same.map(({ bytes }) => bytes)).size > 1)
          .map(([first]) => `message ${first?.messageId} was sent in different words`),
        ...groupsOf(deliveries, ({ runId }) => runId)
          .filter((same) => new Set(same.map(({ messageId }) => messageId)).size > 1)
          .map(([first]) => `run ${first?.runId} was told of by two messages`),
      ];
    },
  },
  {
    name: 'a revoked key is refused from the next request on',
    violations({ revoked }) {
      return revoked
        .filter(({ statusesAfter }) => statusesAfter.some((status) => status < 400))
        .map(({ keyId }) => `key ${keyId} was let in after it was revoked`);
    },
  },
  {
    name: 'what was erased stays away',
    violations({ erased }, { calls, erasedStatuses }) {
      const gone = new Set(erased.map(({ ref }) => ref));
      return [
        ...calls.fed.filter(({ ref }) => gone.has(ref)).map(({ ref }) => `erased call ${ref} is listed`),
        ...erasedStatuses
          .filter(({ status }) => status !== 404)
          .map(({ callId, status }) => `erased call ${callId} is answered with ${status}`),
      ];
    },
  },
  {
    name: 'a list shows what was there exactly once',
    violations({ walks }) {
      return walks.flatMap(({ before, shown }) => {
        const there = new Set(shown);
        return [
          ...before.filter((ref) => !there.has(ref)).map((ref) => `a walk left out ${ref}`),
          ...repeated(shown).map((ref) => `a walk showed ${ref} twice`),
        ];
      });
    },
  },
  {
    name: 'a name that was given stays',
    violations({ renamed }, { watches }) {
      return groupsOf(renamed, ({ watchId }) => watchId)
        .filter((names) => names.at(-1)?.isSure)
        .flatMap((names) => {
          const last = names.at(-1);
          const now = watches.find(({ id }) => id === last?.watchId)?.name;
          return last && now !== last.name ? [`watch ${last.watchId} was named ${last.name} and is ${now}`] : [];
        });
    },
  },
  {
    name: 'a label that was given stays',
    violations({ labelled, erased }, { watches }) {
      const gone = new Set(erased.map(({ callId }) => callId));
      const now = new Map(
        watches.flatMap(({ id, samples }) => samples.map(({ callId, label }) => [`${id} ${callId}`, label] as const)),
      );
      return groupsOf(labelled, ({ watchId, callId }) => `${watchId} ${callId}`)
        .flatMap((given) => given.at(-1) ?? [])
        .filter(({ isSure, callId }) => isSure && !gone.has(callId))
        .map(({ watchId, callId, label }) => ({ watchId, callId, label, is: now.get(`${watchId} ${callId}`) }))
        .filter(({ label, is }) => label !== is)
        .map(
          ({ watchId, callId, label, is }) => `call ${callId} of watch ${watchId} was labelled ${label} and is ${is}`,
        );
    },
  },
  {
    name: 'every call is read by the model too, or given up',
    violations(_, { reading }) {
      return [
        ...(reading.waiting > 0 ? [`${reading.waiting} calls wait for the model`] : []),
        ...(reading.read === 0 ? ['the model read no call'] : []),
      ];
    },
  },
  {
    name: 'what was published is live once, in its words',
    violations({ published }, { drafts, wordsThere }) {
      const statuses = new Map(drafts.map(({ id, status }) => [id, status]));
      return [
        ...published
          .filter(({ draftId }) => statuses.get(draftId) !== 'published')
          .map(({ draftId }) => `draft ${draftId} was to be published and is ${statuses.get(draftId)}`),
        ...published.filter(({ words }) => !wordsThere.includes(words)).map(({ words }) => `${words} was never live`),
        ...repeated(wordsThere).map((words) => `${words} was published twice`),
      ];
    },
  },
  {
    name: 'nothing of ours is left at the platform',
    violations: (_, { leftThere }) => leftThere.map((id) => `${id} is still at the platform`),
  },
  {
    name: 'an approval that was taken takes effect once',
    violations({ approved }, { runs, approvalsAudited }) {
      return approved.flatMap(({ runId, approvedAt }) => {
        const run = runs.find(({ id }) => id === runId);
        const entries = approvalsAudited.filter((id) => id === runId).length;
        return [
          ...(run?.status === 'complete' ? [] : [`run ${runId} was approved and is ${run?.status}`]),
          ...(run?.approvedAt === approvedAt ? [] : [`run ${runId} was approved at ${approvedAt} and says otherwise`]),
          ...(entries === 1 ? [] : [`approving run ${runId} has ${entries} entries in the audit`]),
        ];
      });
    },
  },
  {
    name: 'a watch that is backtested gets its samples',
    violations({ backtested }, { watches }) {
      const states = new Map(watches.map(({ id, state }) => [id, state]));
      return backtested
        .filter((id) => states.get(id) !== 'review')
        .map((id) => `watch ${id} was backtested and is ${states.get(id)}`);
    },
  },
  {
    name: 'every write with a key is audited once',
    violations({ made }, { testsAudited }) {
      return made
        .filter(({ what }) => what === 'test')
        .map(({ id }) => ({ id, entries: testsAudited.filter((one) => one === id).length }))
        .filter(({ entries }) => entries !== 1)
        .map(({ id, entries }) => `making test ${id} has ${entries} entries in the audit`);
    },
  },
  {
    name: 'nobody sees what is next door',
    violations({ strangers }) {
      return strangers
        .filter(({ status }) => status < 400 || status === 403)
        .map(({ path, status }) => `another workspace asked for ${path} and was answered with ${status}`);
    },
  },
  {
    name: 'nothing is refused that is the customers to do',
    violations: ({ refused }) => refused,
  },
  {
    name: 'a request that is made again is answered in the end',
    violations: ({ neverAnswered }) => neverAnswered,
  },
  {
    name: 'every refusal has the envelope',
    violations: ({ malformed }) => malformed.map(({ path, status }) => `${path} was answered with a bare ${status}`),
  },
];

/** @returns each invariant that does not hold, with what speaks against it. */
export function check(journal: Journal, finals: Finals): { name: string; violations: string[] }[] {
  return INVARIANTS.map(({ name, violations }) => ({ name, violations: violations(journal, finals) })).filter(
    ({ violations }) => violations.length > 0,
  );
}
