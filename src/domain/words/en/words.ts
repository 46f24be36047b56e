/** Words that say little about the matter of a talk: left out when lines are compared and requests are clustered. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but if so then than that this these those there here it its it's i i'm im me my mine myself we us our ours you your yours u he she they them
  their his him her is are was were be been being am do does did done doing have has had having will would shall should can could may might must not no nor yes
  to of in on at by for from with about into over under up down out off as again further once just only very too also more most some any all both each
  what which who whom when where why how please hi hello hey ok okay yeah yep sure well um uh oh right alright thank thanks bye goodbye i'd i'll i've we're
  we'd we've you're you'll you've that's what's there's don't didn't doesn't isn't aren't wasn't can't couldn't won't let let's get got go going`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export const NUMBER_WORDS: ReadonlySet<string> = new Set(
  `zero oh nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty
  fifty sixty seventy eighty ninety hundred thousand million first second third fourth fifth sixth seventh eighth ninth tenth double triple noon midnight
  dozen half quarter`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export const DATE_WORDS: ReadonlySet<string> = new Set(
  `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august september october november december today
  tomorrow tonight yesterday morning afternoon evening weekend`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words with which a question begins. */
export const ASKING: ReadonlySet<string> = new Set(
  'what when where which who whom whose why how can could may would will shall do does did is are am was were have has should'.split(
    ' ',
  ),
);

export const LITTLE_WORDS = new Set(
  'a an the of for to and or in on at by with from is was are be been it its that this'.split(' '),
);

export const LEADS_ON = new Set([
  'a',
  'an',
  'at',
  'by',
  'for',
  'from',
  'in',
  'is',
  'of',
  'on',
  'the',
  'to',
  'until',
  'with',
]);
