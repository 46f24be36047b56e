import { ANALYSER_DEFAULTS, createAnalyser } from '../analyser/analyser.ts';
import { type Config, publicUrlOf } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { createAddressJudge } from '../outbound/address-judge.ts';
import { createVault } from '../secrets.ts';
import { createRunningAnswers } from './copilot/running-answers.ts';
import { createCursors } from './cursors.ts';
import { createDraftReadings } from './drafts/draft-readings.ts';
import { createEventBroadcaster } from './events/event-broadcaster.ts';
import { makeOpenApi } from './openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { Services } from './services.ts';
import type { Surface } from './surface.ts';
import { OPERATIONS } from './table.ts';

const ABOUT: Record<Surface, { title: string; description: string }> = {
  v1: {
    title: 'Earshot',
    description:
      'Reads the production calls of voice agents, notices what goes wrong on each, and groups it into ranked issues with the words that show them.',
  },
  app: {
    title: 'Earshot, for its own clients',
    description:
      'What only signed-in people do; the web app and the command line use it. It takes a session token, never a key, and may change with any release.',
  },
};

/** Of a reading. Shorter than a worker's, as somebody waits for the answer; a call of an hour takes well under a second. */
const READ_WITHIN_MS = 10_000;

export function createServices(deps: {
  config: Config;
  database: Database;
  log: Logger;
  identity?: Services['identity'];
  recordings?: Services['recordings'];
  queues?: Services['queues'];
  checks?: Services['checks'];
  ai?: Services['ai'];
  analyser?: Services['analyser'];
}): Services {
  const { config } = deps;
  const vault = createVault(config.secret, config.earlierSecrets);
  const publicUrl = publicUrlOf(config);
  const analyser =
    deps.analyser ??
    createAnalyser({ ...ANALYSER_DEFAULTS, processes: config.readingProcesses, timeLimitMs: READ_WITHIN_MS });
  const documents: Partial<Record<Surface, OpenApiDocument>> = {};
  return {
    database: deps.database,
    vault,
    analyser,
    drafts: createDraftReadings(analyser),
    receivers: createAddressJudge({ allow: config.outboundAllow }),
    cursors: createCursors(vault),
    log: deps.log,
    now: () => new Date(),
    polling: { polls: config.polls, pollSeconds: config.pollSeconds },
    publicUrl,
    isNamed: config.publicUrl !== null,
    temporalUi: config.temporalUi,
    traceUrl: config.traceUrl,
    sendsMail: config.mail !== null,
    mailDomains: config.mailDomains,
    storageMib: config.storageMib,
    workspacesAPerson: config.workspacesAPerson,
    newWorkspaces: config.newWorkspaces,
    models: {
      simulator: config.models.chat && (config.models.simulator ?? config.models.chat.model),
      judge: config.models.chat && (config.models.judge ?? config.models.chat.model),
      prices: config.models.prices,
    },
    reader: readerOf(config),
    newAgents: config.models.newAgents,
    identity: deps.identity ?? null,
    recordings: deps.recordings ?? null,
    queues: deps.queues ?? (async () => null),
    checks: deps.checks ?? { temporal: null, model: null, mail: null, signIn: null },
    events: createEventBroadcaster(config.databaseUrl),
    operations: OPERATIONS,
    ai: deps.ai ?? null,
    answers: createRunningAnswers(config.databaseUrl, deps.log),
    // Made at the first question: a start should not wait for them.
    openapi(surface) {
      documents[surface] ??= makeOpenApi(
        OPERATIONS.filter((operation) => operation.surface === surface),
        { ...ABOUT[surface], serverUrl: publicUrl },
      );
      return documents[surface];
    },
  };
}

function readerOf({ models: { chat, prices } }: Config): Services['reader'] {
  return chat && { model: chat.model, account: chat.account, price: prices[chat.model], isOwn: false };
}
