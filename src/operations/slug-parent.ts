import { z } from 'zod';
import { METRIC_SLUG } from '../contract/custom-metric.ts';
import type { ErrorCode } from '../contract/error.ts';
import type { EntityManager } from '../db/database.ts';
import type { ReadScope } from '../db/read-scope.ts';
import { Failure } from './failure.ts';
import type { Parent } from './operation.ts';
import { scopeOf } from './scope-of.ts';

interface Slug {
  param: string;
  notFound: ErrorCode;
}

const described = (slug: Slug) => ({ ...slug, format: 'text', schema: z.string().regex(METRIC_SLUG) }) as const;

/** What people name by a slug of their own, within the agent of the path. */
export const slugParent = <View>(
  slug: Slug,
  find: (em: EntityManager, scope: ReadScope, slug: string) => Promise<View | null>,
): Parent<View> => ({
  ...described(slug),
  load: async (em, id, { agent }) => (agent && METRIC_SLUG.test(id) ? find(em, scopeOf(agent), id) : null),
});

/** The slug of one that is there or is to be made. */
export const newSlugParent = (slug: Slug): Parent<{ slug: string }> => ({
  ...described(slug),
  load: (_, id) => {
    if (!METRIC_SLUG.test(id)) {
      const message = `${slug.param} must begin with a letter and hold only a to z, 0 to 9 and _, 60 characters at most.`;
      throw new Failure('invalid_parameter', message, { param: slug.param });
    }
    return Promise.resolve({ slug: id });
  },
});
