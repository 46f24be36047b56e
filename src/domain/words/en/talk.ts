import type { TalkWords } from '../talk-words.ts';

export const TALK: TalkWords = {
  hesitant: 'um uh er erm hm hmm umm uhh',
  polite: 'please thanks thank',
  beside: 'before early earlier ahead arrive arriving closes closing check-in checkin doors latest',
  shares: 'half quarter third percent deposit',
  onTheWay: `
    email e-mail mail text sms message reminder confirmation letter call phone ring hear link leaves leave ships ship goes process processed full closed
    open if still pay discount
  `,
  conditions: `
    if once when whether after before until unless would should will can could may might not never cannot didn't hasn't haven't isn't won't wasn't don't
    to shall as because that which who needs must wanted want like unable see shows showing currently
  `,
  own: "i i've we we've successfully got",
  booked: 'confirmed booked reserved scheduled',
  noTermBehind: 'the these those your all both my our in since last past next another',
  passed: 'ago now left already',
  periods: 'hour hours day days week weeks month months year years',
  prices: 'price/prices/fees/rates/charges',
  onTop: 'more/extra/plus/on top/surcharge/additional/additionally',
  percent: 'percent/per cent',
  orderConditions: 'if when where whenever unless',
  orderOthers: `
    caller callers customer customers guest guests patient patients they somebody someone people can could may might
  `,
  lists: 'and or',
  limits: 'up to/at most/at least/more than/less than/fewer than/maximum of/minimum of/maximum',
  persons: 'i we you it they he she',
  relative: 'thing that all what which who',
  whats: 'what huh who wtf eh pardon',
  murmurs: 'yes yeah yep ok okay mhm mm hmm uh huh right sure aha ah oh',
  unreal: 'if had',
  ahead: "will would won't if",
  numbers: '',
  dates: '',
};
