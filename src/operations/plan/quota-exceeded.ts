import type { Quota } from '../../contract/error.ts';
import { Failure } from '../failure.ts';

/** @param message what is asked for and what is left, in a sentence; how to get more is added. */
export function quotaExceeded(message: string, quota: Omit<Quota, 'upgradePath'>): Failure {
  const way =
    quota.plan === 'enterprise' ? 'Contact us to raise the limit.' : 'Change the plan to get more: see /billing.';
  return new Failure('quota_exceeded', `${message} ${way}`, { quota: { ...quota, upgradePath: '/billing' } });
}
