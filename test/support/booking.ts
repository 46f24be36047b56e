import type { Fixture } from '../../src/domain/tests/spec.ts';

/** What the tools of the demo's reception answer to a booking that gets done, and what its caller says. */
export const found: Fixture = {
  tool: 'find_patient',
  match: null,
  respond: { found: true, patient: { id: 'P-77', name: 'Ada Wren', next_visit: { id: 'V-5', date: '2026-11-27' } } },
  times: null,
};
export const free: Fixture = {
  tool: 'check_availability',
  match: null,
  respond: { slots: ['09:10', '14:30'] },
  times: null,
};
export const booked: Fixture = {
  tool: 'book_appointment',
  match: null,
  respond: { status: 'booked', visit_id: 'V-9', date: '2026-11-24', time: '14:30' },
  times: null,
};

export const BOOKING_LINES = [
  'Ada Wren, born on March 4th, 1990.',
  'Next Tuesday, please.',
  'Two thirty is good.',
  'No, thank you.',
];
