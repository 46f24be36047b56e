import type { Config } from '../config.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts';

export interface OpenIdentity {
  provider: IdentityProvider;
  close(): Promise<void>;
}

/** The provider of the configuration. The operator named its address, so that one is reached as it is. */
export function openIdentity(
  config: Pick<Config, 'outboundAllow'> & { oidc: NonNullable<Config['oidc']> },
): OpenIdentity {
  const { issuer, clientId, clientSecret, scope, groups } = config.oidc;
  const groupsClaim = groups?.claim ?? null;
  const outbound = createOutbound({ allow: config.outboundAllow, trustedOrigins: [new URL(issuer).origin] });
  return {
    provider: createIdentityProvider({
      issuer,
      clientId,
      clientSecret,
      scope,
      groupsClaim,
      outbound,
      now: () => new Date(),
    }),
    close: () => outbound.close(),
  };
}
