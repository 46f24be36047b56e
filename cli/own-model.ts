import type { WorkspaceModelResource } from '../src/contract/workspace-model.ts';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

const PATH = '/app/workspace/model';
/** Where the key is read from, so that it stands in no list of processes. */
const KEY = 'EARSHOT_MODEL_KEY';

export interface OwnModelOptions {
  url: string;
  model: string;
  anthropic?: boolean;
  key: boolean;
  inputUsd?: number;
  outputUsd?: number;
  cachedInputUsd?: number;
}

export async function showOwnModel(session: Session): Promise<void> {
  printModel(session, await session.client.person<WorkspaceModelResource>('GET', PATH));
}

export async function setOwnModel(session: Session, options: OwnModelOptions): Promise<void> {
  const { url, model, anthropic, key, inputUsd: input, outputUsd: output, cachedInputUsd: cachedInput } = options;
  if ((input === undefined) !== (output === undefined)) {
    throw new Problem('--input-usd and --output-usd belong together.');
  }
  const given = process.env[KEY];
  printModel(
    session,
    await session.client.person<WorkspaceModelResource>('PUT', PATH, {
      protocol: anthropic === true ? 'anthropic' : 'openai',
      url,
      model,
      ...(key ? given && { apiKey: given } : { apiKey: null }),
      ...(input !== undefined && output !== undefined && { price: { input, output, cachedInput } }),
    }),
  );
}

export async function removeOwnModel(session: Session): Promise<void> {
  printModel(session, await session.client.person<WorkspaceModelResource>('DELETE', PATH));
}

function printModel({ print, json }: Session, shown: WorkspaceModelResource): void {
  if (json) return print.json(shown);
  const { own, operators } = shown;
  if (own === null) {
    return print.line(
      operators === null
        ? 'The workspace has no model of its own, and the installation has none: calls are read by rules alone.'
        : `The workspace has no model of its own: ${operators.model} at ${operators.host} reads its calls.`,
    );
  }
  const price =
    own.price === null
      ? 'without a price'
      : `${own.price.input} and ${own.price.output} USD a million tokens in and out`;
  print.line(
    `${own.model} at ${own.url} reads the calls of the workspace, ${own.hasKey ? 'with a key' : 'without a key'}, ${price}.`,
  );
}
