import { TURN_ROLES, type TurnRole } from '../../domain/vocabulary.ts';
import { UnreadableCall } from '../port.ts';

/** What a model is told, which nobody says on a call. */
const TOLD = new Set(['system', 'developer']);

const NAMES: Readonly<Record<TurnRole, readonly string[]>> = {
  caller: [
    'caller',
    'user',
    'human',
    'customer',
    'client',
    'end user',
    'external',
    'patient',
    'guest',
    'contact',
    'consumer',
    'visitor',
    'callee',
    'lead',
    'prospect',
    'remote user',
    'message role user',
  ],
  agent: [
    'agent',
    'assistant',
    'bot',
    'ai',
    'model',
    'ai agent',
    'voice agent',
    'virtual agent',
    'automated agent',
    'human agent',
    'internal',
    'virtual assistant',
    'ai assistant',
    'representative',
    'operator',
    'chatbot',
    'message role agent',
  ],
  tool: ['tool', 'function', 'tool result', 'tool response', 'message role tool result'],
  other: ['other', 'ivr', 'transfer target', 'supervisor', 'acd', 'voicemail', 'workflow'],
};
const KNOWN: ReadonlyMap<string, TurnRole> = new Map(
  TURN_ROLES.flatMap((role) => NAMES[role].map((name): [string, TurnRole] => [name, role])),
);

/** The same name without case and signs. */
const spelling = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim();

/** Who speaks, by names that a call gives its speakers; those of the sender go before those that are known. */
export class Speakers {
  readonly #given: ReadonlyMap<string, TurnRole>;
  readonly #unknown = new Map<string, string | null>();

  /** @throws UnreadableCall for a role that is none. */
  constructor(roles: Readonly<Record<string, string>>) {
    this.#given = new Map(Object.entries(roles).map(([name, role]) => [spelling(name), ofRole(name, role)]));
  }

  /** Null for what a model is told, which is no turn. An unknown name is given back as it came, and kept. */
  roleOf(name: string, place: string | null): string | null {
    const key = spelling(name);
    const role = this.#given.get(key) ?? KNOWN.get(key);
    if (role !== undefined) return role;
    if (TOLD.has(key)) return null;
    if (!this.#unknown.has(name)) this.#unknown.set(name, place);
    return name;
  }

  isKnown(name: string): boolean {
    const key = spelling(name);
    return this.#given.has(key) || KNOWN.has(key) || TOLD.has(key);
  }

  /** @throws UnreadableCall that says how to name them, where some are not known. */
  check(): void {
    const [first] = this.#unknown;
    if (first === undefined) return;
    throw new UnreadableCall(adviceOn([...this.#unknown.keys()]), first[1]);
  }
}

function ofRole(name: string, role: string): TurnRole {
  const known = TURN_ROLES.find((one) => one === role) ?? KNOWN.get(spelling(role));
  if (known !== undefined) return known;
  throw new UnreadableCall(
    `\`roles\` gives ${JSON.stringify(name)} the role ${JSON.stringify(role).slice(0, 40)}; roles are ${TURN_ROLES.join(', ')}.`,
    'roles',
  );
}

const NAMED_AT_MOST = 4;

/** How to say who is who, of names that could mean anybody. */
function adviceOn(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST).map((name) => name.slice(0, 40));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const quoted = shown.map((name) => JSON.stringify(name)).join(', ');
  const roles = shown.map((name, at): [string, string] => [name, at === 0 ? 'agent' : 'caller']);
  const flags = roles.map(([name, role]) => `--role ${shellQuoted(`${name}=${role}`)}`).join(' ');
  const field = `"roles": ${JSON.stringify(Object.fromEntries(roles))}`;
  const who = names.length === 1 ? `who ${quoted} is` : `who ${quoted}${more} are`;
  return `Nothing says ${who}. Say it, as in ${flags}, in a request as ${field}. Roles are ${TURN_ROLES.join(', ')}.`;
}

const shellQuoted = (text: string) => (/["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`);
