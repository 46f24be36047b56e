import { counted } from '../counted.ts';

/** One thing that Earshot needs or runs, and how it stands. */
export interface Finding {
  name: string;
  /** `absent`: not running, or not set, which may be as it should be. */
  state: 'fine' | 'absent' | 'wrong';
  says: string;
  /** What to do about it, or null. */
  todo: string | null;
}

/** What a process says of itself with each sign of life. */
export interface ProcessStanding {
  version: string;
  /** Its own clock, in milliseconds since 1970. */
  clockMs: number;
  /** The model that reads calls; null: none is configured. */
  model: string | null;
  sendsMail: boolean;
  /** On the disk of its data folder; null where there is no such folder. */
  freeBytes: number | null;
}

export interface SeenStanding {
  kind: 'api' | 'worker';
  host: string;
  pid: number;
  /** By the database's clock, in milliseconds since 1970. */
  seenAtMs: number;
  /** Null: it is of a version that says nothing of itself. */
  standing: ProcessStanding | null;
}

/** Something outside that was asked just now. */
export interface Asked<Answer> {
  name: string;
  /** Null where it did not answer as it should. */
  answer: Answer | null;
  trouble: string | null;
}

export interface NamespaceStanding {
  namespace: string;
  serverVersion: string;
  /** Of which installation the namespace is; null: nobody took it yet. */
  installation: string | null;
}

export interface InstallationFacts {
  /** Of the process that answers. */
  version: string;
  installation: string;
  processes: readonly SeenStanding[];
  database: {
    version: string;
    bytes: number;
    connections: number;
    connectionsAtMost: number;
    pool: { busy: number; idle: number; waiting: number };
  };
  /** Installation keys that are still sealed under an earlier secret. */
  keysBefore: number;
  /** Each null where it is not set up. */
  temporal: Asked<NamespaceStanding> | null;
  model: Asked<true> | null;
  mail: Asked<true> | null;
  signIn: Asked<true> | null;
}

const FEW_BYTES = 1e9;
const CLOCK_DIFFERENCE_MS = 5_000;
/** Of PostgreSQL's connections. */
const MOST_SHARE = 0.9;

const fine = (name: string, says: string, todo: string | null = null): Finding => ({ name, state: 'fine', says, todo });
const absent = (name: string, says: string): Finding => ({ name, state: 'absent', says, todo: null });
const wrong = (name: string, says: string, todo: string): Finding => ({ name, state: 'wrong', says, todo });

const nameOf = ({ kind, host, pid }: SeenStanding) => `${kind === 'api' ? 'API' : 'worker'} on ${host} (${pid})`;
const sizeOf = (bytes: number) => (bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);

/** How an installation stands, seen from one of its API processes. */
export function findingsOf(facts: InstallationFacts): Finding[] {
  return [
    workers(facts),
    versions(facts),
    clocks(facts),
    disks(facts),
    database(facts),
    secret(facts),
    temporal(facts),
    models(facts),
    mail(facts),
    signIn(facts),
  ];
}

function workers({ processes }: InstallationFacts): Finding {
  const [apis, seen] = (['api', 'worker'] as const).map((kind) => processes.filter((one) => one.kind === kind));
  if (!seen?.length) return wrong('Workers', 'no worker is running, so nothing is imported or analyzed', 'start one');
  return fine('Workers', `${counted(seen.length, 'worker')}, ${counted(apis?.length ?? 0, 'API process')}`);
}

function versions({ version, processes }: InstallationFacts): Finding {
  const others = processes.filter((one) => one.standing?.version !== version);
  if (others.length === 0) return fine('Versions', `every process is ${version}`);
  const named = others.map((one) => `${nameOf(one)} is ${one.standing?.version ?? 'an earlier version'}`);
  return wrong('Versions', `this API is ${version}; ${named.join(', ')}`, 'finish the upgrade on every process');
}

function clocks({ processes }: InstallationFacts): Finding {
  const off = processes.flatMap((one) => {
    if (one.standing === null) return [];
    const differenceMs = one.standing.clockMs - one.seenAtMs;
    if (Math.abs(differenceMs) <= CLOCK_DIFFERENCE_MS) return [];
    const seconds = counted(Math.round(Math.abs(differenceMs) / 1000), 'second');
    return [`${nameOf(one)} is ${seconds} ${differenceMs > 0 ? 'ahead' : 'behind'}`];
  });
  if (off.length === 0) return fine('Clocks', 'within 5 seconds of the database');
  return wrong('Clocks', `compared with the database: ${off.join(', ')}`, 'synchronize the clocks (NTP)');
}

function disks({ processes }: InstallationFacts): Finding {
  const known = processes.flatMap((one) => {
    const free = one.standing?.freeBytes ?? null;
    return free === null ? [] : [{ one, free }];
  });
  if (known.length === 0) return absent('Disks', 'no process has a data folder');
  const few = known.filter(({ free }) => free < FEW_BYTES);
  const shown = (few.length > 0 ? few : known).map(({ one, free }) => `${sizeOf(free)} free for the ${nameOf(one)}`);
  return few.length > 0
    ? wrong('Disks', shown.join(', '), 'free some space there')
    : fine('Disks', [...new Set(shown)].join(', '));
}

function database({ database: { version, bytes, connections, connectionsAtMost, pool } }: InstallationFacts): Finding {
  const says = `${version}, ${sizeOf(bytes)}, ${connections} of ${connectionsAtMost} connections; this API: ${pool.busy} busy, ${pool.idle} idle, ${pool.waiting} waiting`;
  return connections >= connectionsAtMost * MOST_SHARE
    ? wrong('PostgreSQL', says, 'raise max_connections, or set EARSHOT_DATABASE_CONNECTIONS lower')
    : fine('PostgreSQL', says);
}

function secret({ keysBefore }: InstallationFacts): Finding {
  if (keysBefore === 0) return fine('Secret', 'opens what this database holds');
  const says = 'opens what this database holds, some of it only by EARSHOT_SECRET_EARLIER';
  return fine('Secret', says, 'run earshot-server seal, then drop the earlier secret');
}

function temporal({ temporal: asked, installation }: InstallationFacts): Finding {
  const name = 'Temporal';
  if (asked === null) return absent(name, 'this API does not ask it');
  const { answer, trouble } = asked;
  if (answer === null) {
    return wrong(name, trouble ?? 'does not answer', 'start it, or correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE');
  }
  const says = `${answer.serverVersion}, namespace ${answer.namespace}`;
  if (answer.installation === null) {
    return fine(name, `${says}, not bound to this installation: its service does not let workers do that`);
  }
  return answer.installation === installation
    ? fine(name, `${says}, which belongs to this installation`)
    : wrong(name, `${says}, which belongs to another installation`, 'set TEMPORAL_NAMESPACE to one of its own');
}

function models({ model, processes }: InstallationFacts): Finding {
  const name = 'Model';
  const others = processes.filter(
    ({ kind, standing }) => kind === 'worker' && standing !== null && standing.model !== (model?.name ?? null),
  );
  if (others.length > 0) {
    const named = others.map((one) => `the ${nameOf(one)} has ${one.standing?.model ?? 'none'}`);
    const says = `this API has ${model?.name ?? 'none'}, ${named.join(', ')}`;
    return wrong(name, says, 'give every process the same model settings, and restart those that differ');
  }
  if (model === null)
    return absent(name, 'none configured: calls are read by rules alone, which is complete without one');
  return asked(
    name,
    model,
    'correct EARSHOT_MODEL_URL, EARSHOT_MODEL_KEY and EARSHOT_MODEL; without a model rules go on',
  );
}

function mail({ mail: server, processes }: InstallationFacts): Finding {
  const name = 'Mail';
  const others = processes.filter(
    ({ kind, standing }) => kind === 'worker' && standing !== null && standing.sendsMail !== (server !== null),
  );
  if (others.length > 0) {
    const says = `${others.map((one) => `the ${nameOf(one)}`).join(', ')} and this API differ in whether mail is set up`;
    return wrong(
      name,
      says,
      'give every process EARSHOT_SMTP_URL and EARSHOT_MAIL_FROM, and restart those that differ',
    );
  }
  if (server === null) return absent(name, 'no mail server is set up: nobody gets mail');
  return asked(name, server, 'correct EARSHOT_SMTP_URL');
}

function signIn({ signIn: provider }: InstallationFacts): Finding {
  if (provider === null) return absent('Sign-in', 'by password; no provider is set up');
  return asked('Sign-in', provider, 'correct EARSHOT_OIDC_ISSUER, or see why the provider does not answer');
}

function asked(name: string, { name: what, answer, trouble }: Asked<true>, todo: string): Finding {
  return answer === null ? wrong(name, `${what}: ${trouble ?? 'no answer'}`, todo) : fine(name, `${what} answers`);
}
