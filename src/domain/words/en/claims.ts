/** Verbs of doing, as participles, by the kind of deed that they claim. */
const DONE: Record<string, string> = {
  book: 'booked/reserved/scheduled/rebooked/rescheduled',
  cancel: 'cancelled/canceled',
  change:
    'changed/updated/modified/adjusted/switched/moved/upgraded/corrected/renewed/extended/redirected/frozen/paused/resumed',
  send: 'sent/emailed/texted/mailed/forwarded/resent/dispatched',
  refund: 'refunded/credited/reimbursed',
  order: 'ordered/placed/purchased/exchanged/replaced',
  submit: 'submitted/filed/reported/registered/logged/raised/recorded/noted',
  add: 'added/applied/activated/enabled/enrolled/assigned',
  remove: 'removed/deleted/deactivated/blocked/frozen/closed',
  pay: 'paid/charged/processed',
  issue: 'issued/created/opened',
  unlock: 'unlocked/reset/restored',
};

const MORE: Record<string, readonly string[]> = {
  book: [
    "you're [now/all] booked/scheduled/reserved",
    "you're [now/all] confirmed for/on",
    "that's/that+is you [now/all] booked/scheduled/reserved/confirmed/extended/moved/changed/cancelled/sorted",
    "you're all set for",
    'your booking/reservation/appointment/table/room/flight/seat/ride is [now/all] booked/confirmed/reserved/scheduled',
    'your/the/this/that/a/an ~3 has/have been confirmed',
  ],
  submit: [
    "i've/we've/i+have/we+have [now/just/also] put ~3 request/order/claim/application/ticket in/through",
    "i've/i+have [now/just/also] put/noted/written ~5 on/in his/her/your/their/the card/file/account/record/records/booking/notes/profile",
    'your/the ~1 request/order/claim/application/booking/change has/have [now/just/also] gone/went through',
    'it has/have [now/just/also] gone through',
  ],
  send: ["you'll receive ~3 email/text/message/confirmation"],
  change: [
    "you're [all/now] good to go",
    'your ~2 appointment/booking/reservation/table/visit/delivery/slot/exam/scan/mri/ct/lesson/stay is now on/for/at',
  ],
  refund: ['your refund is on its way', 'refund has been issued/initiated'],
};

/** "I've booked", "your flight has been cancelled", "it is now confirmed": how an agent says that a thing is done, a list a kind. */
export const CLAIMS: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(DONE).map(([kind, verbs]) => [
    `claim:${kind}`,
    [
      `i've/we've [just/now/also/already] [successfully] [gone+ahead+and] ${verbs}`,
      `i/we just ${verbs}`,
      `i/we went ahead and ${verbs}`,
      `your/the/this/that/a/an ~4 has/have [now/also/just] been [now/successfully/fully] ${verbs}`,
      `your/the request/order/application/booking/claim/form ~8 has/have [now/also/just] been [now/successfully/fully] ${verbs}`,
      `it/everything/all/both/they has/have [now/also/just] been [now/successfully/fully] ${verbs}`,
      `it's/that's/they've ~1 been [now/successfully/fully] ${verbs}`,
      `is/are now [successfully/fully] ${verbs}`,
      `successfully ${verbs}`,
      `got ~3 ${verbs} for you`,
      ...(MORE[kind] ?? []),
    ],
  ]),
);
