import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const CLIENT = { id: 'earshot client', secret: 'a secret: with % and +' };

interface Grant {
  nonce: string;
  challenge: string;
  redirectUri: string;
}

/** A provider that really speaks OpenID Connect over HTTP, and lies where a test asks it to. */
export interface IdentityServer {
  issuer: string;
  /** What it says of the person who signs in. */
  person: { sub: string; email?: string; email_verified?: boolean };
  /** Claims that replace the true ones in the next tokens. */
  claims: JWTPayload;
  /** Signs with a key that it does not publish. */
  forges: boolean;
  /** Answers nothing but this status; 0 for true answers. */
  brokenWith: number;
  /** What `/userinfo` says. */
  userInfo: object | null;
  /** Method, path and status of what was asked. */
  log: string[];
  /** Makes a key and forgets the one before. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export async function startIdentityServer(): Promise<IdentityServer> {
  let key = await generateKeyPair('RS256');
  let kid = 'key-1';
  const strangers = await generateKeyPair('RS256');
  const codes = new Map<string, Grant>();

  const http = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: IdentityServer = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    person: { sub: 'subject-1' },
    claims: {},
    forges: false,
    brokenWith: 0,
    userInfo: null,
    log: [],
    async rotate() {
      key = await generateKeyPair('RS256');
      kid = `key-${randomBytes(4).toString('hex')}`;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', server.issuer);
    const { status, body, location } = await route(request, url);
    server.log.push(`${request.method} ${url.pathname} ${status}`);
    response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  async function route(
    request: IncomingMessage,
    url: URL,
  ): Promise<{ status: number; body?: unknown; location?: string }> {
    if (server.brokenWith !== 0) return { status: server.brokenWith, body: { out: 'of order' } };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer: server.issuer,
            authorization_endpoint: `${server.issuer}/authorize`,
            token_endpoint: `${server.issuer}/token`,
            jwks_uri: `${server.issuer}/keys`,
            userinfo_endpoint: `${server.issuer}/userinfo`,
          },
        };
      case '/keys':
        return {
          status: 200,
          body: { keys: [{ ...(await exportJWK(key.publicKey)), kid, alg: 'RS256', use: 'sig' }] },
        };
      case '/authorize':
        return authorize(url.searchParams);
      case '/token':
        return redeem(request.headers.authorization, new URLSearchParams(await textOf(request)));
      case '/userinfo':
        return server.userInfo ? { status: 200, body: server.userInfo } : { status: 401, body: {} };
      default:
        return { status: 404, body: {} };
    }
  }

  function authorize(asked: URLSearchParams) {
    const redirectUri = asked.get('redirect_uri') ?? '';
    const isSound =
      asked.get('client_id') === CLIENT.id &&
      asked.get('response_type') === 'code' &&
      asked.get('scope')?.split(' ').includes('openid') === true &&
      asked.get('code_challenge_method') === 'S256';
    if (!isSound) return { status: 400, body: { error: 'invalid_request' } };
    const code = randomBytes(16).toString('hex');
    codes.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri,
    });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', server.issuer);
    return { status: 302, location: back.href };
  }

  async function redeem(authorization: string | undefined, form: URLSearchParams) {
    const encoded = new URLSearchParams({ a: CLIENT.id, b: CLIENT.secret }).toString();
    const expected = encoded.replace(/^a=/, '').replace('&b=', ':');
    if (authorization !== `Basic ${Buffer.from(expected).toString('base64')}`) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: server.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      ...server.person,
      ...server.claims,
    };
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(server.forges ? strangers.privateKey : key.privateKey);
    return { status: 200, body: { token_type: 'Bearer', access_token: 'access', id_token: idToken } };
  }

  return server;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
