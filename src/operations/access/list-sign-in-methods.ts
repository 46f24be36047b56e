import { signInMethods } from '../../contract/session.ts';
import { basePathOf } from '../../domain/base-path.ts';
import { defineOperation } from '../operation.ts';

/** Where a browser begins to sign in at the organization's provider. */
export const SIGN_ON_PATH = '/sign-in/oidc';

export const listSignInMethods = defineOperation({
  id: 'listSignInMethods',
  surface: 'app',
  method: 'GET',
  path: '/app/sign-in-methods',
  scope: 'public',
  tag: 'Sign-in',
  summary: 'How people can sign in here',
  description:
    'By e-mail and password always; at the provider of the organization where one is set up: let the browser open its `url`.',
  response: signInMethods,
  async run({ services }) {
    const { identity } = services;
    return {
      object: 'sign_in_methods' as const,
      password: true as const,
      provider: identity ? { name: identity.name, url: `${basePathOf(services.publicUrl)}${SIGN_ON_PATH}` } : null,
    };
  },
});
