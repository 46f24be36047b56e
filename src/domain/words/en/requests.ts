import { meanings, type RequestWords, wordSet } from '../request-words.ts';
import { STOP_WORDS } from './words.ts';

const ASKING =
  wordSet(`want wants wanting need needs needing like would wanna wanted needed help helping looking look calling call called trying try please know tell give question questions name named said say er
  erm hm hmm mm ah eh yup nope listen actually maybe really kind sort bit lot wondering wonder wish hoping hope able possible make made sure think thought
  thing things something anything everything someone somebody anyone one ones see also today now yes hi hello gonna gotta cuz because good great perfect
  fine nice sorry believe guess mean much many well guy guys ahead way use using take taking took come came coming other another day days week weeks
  morning ask asking asked got getting already ma'am sir mr mrs miss still even ever since last first little while back until assist assistance rather
  instead either else anyway again soon early later late home quick quickly exactly basically just currently idea chance new old big small whole same
  different next previous able interested possibly probably supposed happy glad love keep put set start began begin happen happening happened work
  works working let bring forgot forget remember`);

export const EN: RequestWords = {
  empty: new Set([...STOP_WORDS, ...ASKING]),
  asks: wordSet(`want need like wanna wanted needed can could would may how what when where which who why help calling trying looking wondering question please
    gotta let is are does do`),
  beforeVerbs: wordSet('to you i we please and can could just gotta wanna cannot'),
  beforeThings: wordSet('a an the my our your his her their this that these those some any another no'),
  infinitive: null,
  people:
    wordSet(`mother father mom mum dad sister brother wife husband son daughter friend kid kids child children boss flatmate roommate neighbour neighbor
    partner girlfriend boyfriend aunt uncle cousin grandma grandpa grandmother grandfather family wife's man woman`),
  verbs: meanings(`cancel: cancel cancels cancelled canceled cancelling canceling
    move: move moved moving reschedule rescheduled rescheduling shift shifted shifting postpone postponed postponing
    book: book booked booking schedule scheduled scheduling reserve reserved reserving
    order: order ordering ordered
    buy: buy bought buying purchase purchased purchasing
    pay: pay paid paying
    refund: refunded refunding reimburse reimbursed
    return: return returned returning
    exchange: exchange exchanged exchanging swap swapped swapping
    change: change changed changing update updated updating modify modified modifying edit
    check: check checked checking verify verified verifying
    find: find found finding locate located track tracking tracked
    send: send sent sending ship shipped shipping mail mailed
    deliver: deliver delivered delivering
    collect: collect collected collecting pick picking picked
    open: open opened
    close: close closed closing
    renew: renew renewed renewing
    transfer: transfer transferred transferring
    speak: speak spoken speaking talk talked talking
    complain: complain complained complaining
    report: report reported reporting
    repair: repair repaired repairing fix fixed fixing mend mended
    replace: replace replaced replacing
    confirm: confirm confirmed confirming
    remind: remind reminded
    register: register registered registering enrol enroll enrolled enrolling signup
    activate: activate activated activating
    block: block blocked blocking freeze frozen
    reset: reset resetting unlock unlocked unlocking
    add: add added adding
    remove: remove removed removing delete deleted deleting
    rent: rent rented renting hire hired hiring
    withdraw: withdraw withdrew withdrawing
    deposit: depositing deposited
    apply: apply applied applying
    extend: extend extended extending
    upgrade: upgrade upgraded upgrading
    borrow: borrow borrowed borrowing
    recommend: recommend recommended suggest suggested
    compare: compare compared comparing
    clean: clean cleaned
    install: install installed installing
    claim: claim claimed claiming
    leave: leave leaving`),
  things: meanings(`appointment: appointment appointments visit visits slot slots
    parcel: parcel parcels package packages shipment shipments
    order: order orders
    invoice: invoice invoices bill bills
    price: price prices cost costs fee fees charge charges rate rates
    account: account accounts
    card: card cards
    payment: payment payments
    refund: refund refunds reimbursement
    address: address addresses
    password: password passwords pin passcode
    insurance: insurance coverage
    reservation: reservation reservations booking bookings
    hours: hours
    delivery: delivery deliveries
    person: person human operator representative agent agents representatives colleague receptionist
    complaint: complaint complaints
    contract: contract contracts subscription subscriptions
    prescription: prescription prescriptions
    result: result results
    car: car cars vehicle vehicles
    ticket: ticket tickets
    room: room rooms
    table: table tables
    flight: flight flights
    claim: claims
    policy: policy policies
    driver: driver drivers courier couriers`),
  verbLast: false,
  beforeObject: new Map([['speak', 'to']]),
  askAbout: 'ask about',
  generic: 'general request',
};

/** Words that say no more than that somebody asks. */
export const NAMES_OF_ASKING = new Set([
  'request',
  'inquire',
  'enquire',
  'inquiry',
  'enquiry',
  'status',
  'info',
  'information',
  'about',
]);

export const QUESTION_ADJECTIVES = new Set('long soon much many far late often old big'.split(' '));

/** English forms that are no infinitive, the commonest irregular ones among them, and half of "pick up". */
export const INFLECTED = /(?:ing|ed|[^s]s)$|^(?:sent|bought|paid|found|got|left|spoken|brought|withdrew|frozen|pick)$/;
