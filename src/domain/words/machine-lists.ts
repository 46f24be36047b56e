/** What machines say on the far side of a call, by who it is; such a voice is no caller. */
export interface MachineLists {
  voicemail: readonly string[];
  phone_menu: readonly string[];
  /** Asks who calls and why, and lets through or not. */
  screening: readonly string[];
  hold: readonly string[];
  /** A voice agent that says that it is one. */
  agent: readonly string[];
  /** What a machine says after that; people say it too. */
  goes_on: readonly string[];
  /** How a greeting in pieces may begin; people answer so too. */
  opens: readonly string[];
}

/** Of two that fit, the first holds: a mailbox offers keys too, and who screens speaks of the person that was called. */
export const MACHINE_KINDS = [
  'screening',
  'voicemail',
  'phone_menu',
  'hold',
  'agent',
] as const satisfies (keyof MachineLists)[];
export type MachineKind = (typeof MACHINE_KINDS)[number];
