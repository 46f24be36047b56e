import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import type { Prepare } from '../../support/count-work.ts';
import { scripted } from '../signals/scripted-call.ts';
import { asLine } from './talk.ts';

/** A talk of so many turns, full of numbers and bookings. */
const prepare: Prepare<number> = (turns) => {
  const lines = Array.from({ length: turns }, (_, at) =>
    asLine(
      at % 2 === 0
        ? `a: I have booked table ${at} for ${at % 9} people on Friday at half past six, is that right?`
        : `c: no my number is 5 5 5, 0 1 ${at % 10} 2 and the order is BX-${20_000 + at} not BX-19`,
    ),
  );
  const input = scripted(lines);
  return () => analyseCall(input, {});
};

export default prepare;
