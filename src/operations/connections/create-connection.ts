import type { z } from 'zod';
import { connection, newConnection } from '../../contract/connection.ts';
import { beginCheck, insertConnection } from '../../db/connections/connections.ts';
import { connectionKeyPlace } from '../../db/secrets/sealed-places.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { checkBaseUrl, orderCheck, readBack } from './connection.ts';

export const createConnection = defineOperation({
  id: 'createConnection',
  surface: 'app',
  method: 'POST',
  path: '/app/connections',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Connect a voice platform',
  description:
    'The key is stored encrypted and tried at the platform at once; the answer is `checking`, and reading it again soon says whether the key works and which agents it shows. One of livekit, pipecat, otel or file needs no key: make its agent, then a token with which that sends its calls.',
  body: newConnection,
  response: connection,
  async run({ em, services, person }, { body }) {
    const { workspaceId } = person();
    const { platform, apiKey, baseUrl = null } = body;
    const made = { workspaceId, platform, baseUrl };
    if (sendsCalls(platform)) {
      refuseAddress(body);
      return readBack(em, services, await insertConnection(em, { ...made, sealedKey: null, status: 'ok' }));
    }
    if (apiKey === undefined) throw wrong('apiKey', `apiKey is needed to read calls from ${platform}.`);
    checkBaseUrl(baseUrl);
    const connectionId = newId();
    const sealedKey = services.vault.seal(apiKey, connectionKeyPlace(workspaceId, connectionId));
    await insertConnection(em, { ...made, id: connectionId, sealedKey, status: 'checking' });
    await orderCheck(em, { workspaceId, connectionId, check: await beginCheck(em, connectionId) });
    return readBack(em, services, connectionId);
  },
});

function refuseAddress({ platform, apiKey, baseUrl }: z.infer<typeof newConnection>): void {
  const given = { apiKey, baseUrl };
  const param = (['apiKey', 'baseUrl'] as const).find((field) => given[field] !== undefined);
  if (param) throw wrong(param, `Calls of ${platform} are sent to Earshot, so there is no ${param}.`);
}

const wrong = (param: string, message: string) => new Failure('invalid_parameter', message, { param });
