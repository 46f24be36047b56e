import type { Analyser } from '../analyser/analyser.ts';
import type { Database } from '../db/database.ts';
import type { NamespaceStanding } from '../domain/installation/findings.ts';
import type { TokenPrice } from '../domain/limits/model-cost.ts';
import type { NewWorkspaceTerms } from '../domain/limits/plans.ts';
import type { RunModels } from '../domain/limits/run-cost.ts';
import type { ModelReadingMode, Role } from '../domain/vocabulary.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import type { Logger } from '../logger.ts';
import type { ChatModel, TalkModel } from '../models/port.ts';
import type { AddressJudge } from '../outbound/address-judge.ts';
import type { RecordingSource } from '../platforms/recordings.ts';
import type { Vault } from '../secrets.ts';
import type { ReaderModel } from '../services/models/reader-model.ts';
import type { QueueStanding } from '../temporal/client.ts';
import type { RunningAnswers } from './copilot/running-answers.ts';
import type { Cursors } from './cursors.ts';
import type { DraftReadings } from './drafts/draft-readings.ts';
import type { EventBroadcaster } from './events/event-broadcaster.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import type { Surface } from './surface.ts';

/** The models that this process asks itself. */
export interface Ai {
  /** Talks with people. */
  talk: TalkModel;
  /** Puts into words what rules found. */
  words: ChatModel;
  /** By model; one without a price counts 0. */
  prices: Record<string, TokenPrice>;
}

/** What every operation may use; made once a process. */
export interface Services {
  database: Database;
  vault: Vault;
  /** Reads calls in processes of its own: nothing that somebody sent holds up this one. */
  analyser: Analyser;
  /** What drafts change, each read once. */
  drafts: DraftReadings;
  /** Judges addresses of webhooks, which resolves their names; a worker connects. */
  receivers: AddressJudge;
  cursors: Cursors;
  log: Logger;
  /** The clock of this process, for tokens; what is stored takes the database's time. */
  now(): Date;
  /** How often coordinators poll, for the messages that open one. */
  polling: { polls: boolean; pollSeconds: number };
  /** Under which address people reach this instance, for links; without a slash at its end. */
  publicUrl: string;
  /** Whether the operator named that origin; otherwise it is where this process listens. */
  isNamed: boolean;
  /** Tells streams of events that something happened. */
  events: EventBroadcaster;
  /** Every operation, for those that are asked by name in a person's own right: what the copilot reads and proposes. */
  operations: readonly Operation[];
  /** Null: no model is configured. */
  ai: Ai | null;
  answers: RunningAnswers;
  /** The OpenAPI document of one surface. */
  openapi(surface: Surface): OpenApiDocument;
  /** What waits in the queues of Temporal; null while it does not answer, or where this process never asks it. */
  queues(): Promise<QueueStanding[] | null>;
  /** What this process depends on, asked as it stands now; each throws with the reason, and is null where it is not set up. */
  checks: {
    temporal: (() => Promise<NamespaceStanding>) | null;
    model: (() => Promise<void>) | null;
    mail: (() => Promise<void>) | null;
    signIn: (() => Promise<void>) | null;
  };
  /** Whether the operator set up a mail server. */
  sendsMail: boolean;
  /** Domains that channels may write to besides those of members; `*`: any. */
  mailDomains: readonly string[];
  /** MiB of calls that a workspace keeps at most, where it has no number of its own; null: no bound. */
  storageMib: number | null;
  /** How many workspaces one person may make. */
  workspacesAPerson: number;
  /** What a workspace may do that a person makes. */
  newWorkspaces: NewWorkspaceTerms;
  /** Address of the Temporal UI, where there is one. */
  temporalUi: string | null;
  /** Address of a trace in the operator's viewer, with `{traceId}`. */
  traceUrl: string | null;
  /** Models that the workers ask, by name, with their prices: what a run may cost is told before it starts. */
  models: RunModels;
  /** The model that reads calls in the workers; null: none is configured. */
  reader: ReaderModel | null;
  /** How reading by a model begins on an agent that is made. */
  newAgents: { modelReading: ModelReadingMode; budgetUsd: number | null };
  /** Where recordings of calls are heard; null in a process that reaches no platform. */
  recordings: RecordingSource | null;
  /** Where people of the organization can sign in, and what it is called; null where none is set up. */
  identity: { name: string; provider: IdentityProvider; roles: ReadonlyMap<string, Role> | null } | null;
}
