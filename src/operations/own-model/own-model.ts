import type { WorkspaceModelResource } from '../../contract/workspace-model.ts';
import { ownModel, workspaceModel } from '../../contract/workspace-model.ts';
import type { EntityManager } from '../../db/database.ts';
import { agentsToRead, findOwnModel, removeOwnModel, saveOwnModel } from '../../db/models/workspace-models.ts';
import { modelKeyPlace } from '../../db/secrets/sealed-places.ts';
import { wholePrice } from '../../domain/limits/model-cost.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { READER_SIGNALS, readerEntry } from '../../temporal/model-reader.ts';
import { checkBaseUrl } from '../connections/connection.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import type { Services } from '../services.ts';
import { checkAddress } from '../webhooks/webhook.ts';

const PATH = '/app/workspace/model';

export const getOwnModel = defineOperation({
  id: 'getWorkspaceModel',
  surface: 'app',
  method: 'GET',
  path: PATH,
  scope: 'person',
  role: 'admin',
  tag: 'Plan',
  summary: "Get the workspace's own model",
  description: 'Which model reads the calls of the workspace: its own, or that of the installation.',
  response: workspaceModel,
  async run({ em, services, person }) {
    return present(em, services, person().workspaceId);
  },
});

export const setOwnModel = defineOperation({
  id: 'setWorkspaceModel',
  surface: 'app',
  method: 'PUT',
  path: PATH,
  scope: 'person',
  role: 'admin',
  tag: 'Plan',
  summary: 'Set a model of the workspace',
  description:
    "It reads the calls of the workspace, and judges them in backtests of watches, in place of the installation's model, within a minute, and what it costs is no part of the AI allowance; budgets of agents hold for it too. Calls that were read stay read. Judging and simulating tests, and the copilot, go on asking the installation's models.",
  body: ownModel,
  response: workspaceModel,
  async run(context, { body }) {
    const { em, services } = context;
    const { workspaceId } = context.person();
    const { protocol, model, apiKey, price } = body;
    checkBaseUrl(body.url, 'url');
    const url = body.url.replace(/(?<!\/)\/+$/, '');
    await checkAddress(context, url);
    const before = await findOwnModel(em, workspaceId);
    if (apiKey === undefined && before?.sealedKey && before.url !== url) {
      const message = 'Give the key too: the one that is stored goes to no other address.';
      throw new Failure('invalid_parameter', message, { param: 'apiKey' });
    }
    const sealedKey =
      apiKey === undefined
        ? (before?.sealedKey ?? null)
        : apiKey && services.vault.seal(apiKey, modelKeyPlace(workspaceId));
    await saveOwnModel(em, workspaceId, {
      protocol,
      url,
      model,
      sealedKey,
      price: price ? wholePrice(price, protocol) : null,
    });
    await readOn(em, workspaceId);
    return present(em, services, workspaceId);
  },
});

export const removeWorkspaceModel = defineOperation({
  id: 'removeWorkspaceModel',
  surface: 'app',
  method: 'DELETE',
  path: PATH,
  scope: 'person',
  role: 'admin',
  tag: 'Plan',
  summary: "Remove the workspace's own model",
  description: "With its key. Calls are read by the installation's model from then on, where there is one.",
  response: workspaceModel,
  async run({ em, services, person }) {
    const { workspaceId } = person();
    await removeOwnModel(em, workspaceId);
    await readOn(em, workspaceId);
    return present(em, services, workspaceId);
  },
});

/** Calls that wait, whatever for, are tried with the model that is asked now. */
async function readOn(em: EntityManager, workspaceId: string): Promise<void> {
  for (const agentId of await agentsToRead(em, workspaceId)) {
    const entry = readerEntry({ workspaceId, agentId }, READER_SIGNALS.tryNow);
    await addToOutbox(em, { entry, workspaceId, agentId });
  }
}

async function present(
  em: EntityManager,
  { reader }: Pick<Services, 'reader'>,
  workspaceId: string,
): Promise<WorkspaceModelResource> {
  const own = await findOwnModel(em, workspaceId);
  return {
    object: 'workspace_model',
    own: own && {
      protocol: own.protocol,
      url: own.url,
      model: own.model,
      hasKey: own.sealedKey !== null,
      price: own.price && wholePrice(own.price, own.protocol),
    },
    operators: reader && { model: reader.model, host: reader.account.host },
  };
}
