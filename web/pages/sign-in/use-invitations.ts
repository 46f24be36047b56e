import { api } from '../../client/api.ts';

/** What waits for the yes of whoever is signed in. */
export const useInvitations = () =>
  api.useQuery('get', '/app/session/invitations', {}, { retry: false, staleTime: 60_000 });
