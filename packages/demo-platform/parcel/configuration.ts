import type { Json, JsonObject } from '../../../src/domain/json.ts';
import { NO_TRAITS, type Traits } from '../later.ts';

/**
 * The single prompt of the parcel helpline at one version. Version 5 hands days to the tools as callers say them, takes
 * notes that no tool keeps, and can send a link; version 6 runs on another language model.
 */
export function parcelPrompt(version: number, traits: Traits = NO_TRAITS): JsonObject {
  const datesAsDates = version < 5 || traits.has('dates as dates');
  return {
    llm_id: 'llm_8e31c7a5d2f4',
    version,
    model: version < 6 ? 'gpt-4.1' : 'gpt-4.1-large',
    model_temperature: 0.3,
    start_speaker: 'agent',
    begin_message: null,
    general_prompt: [
      'You are {{assistant_name}}, the helpline of {{company}}, a parcel service.',
      '1. Find out what the caller wants.',
      '2. Ask for the tracking number before you look anything up; it is SL and eight digits.',
      '3. Use the tools for everything that changes something.',
      datesAsDates
        ? '   Dates go to tools as YYYY-MM-DD.'
        : '   Be quick: pass a day on to the tool the way the caller said it.',
      '4. Never read out payment data.',
      '5. Opening hours of depots: 7:00 to 20:00, Saturdays to 14:00.',
      '6. Hand over with transfer_call when the caller asks for a person.',
      noteLine(version, traits),
      version < 5 ? '' : '8. Offer a link for following the parcel.',
      traits.has('waits for goodbye') ? '9. Use end_call only after the caller has said goodbye.' : '',
    ]
      .filter(Boolean)
      .join('\n'),
    default_dynamic_variables: { company: 'Swiftlane', assistant_name: 'Kim' },
    general_tools: tools(version, traits, datesAsDates),
    states: [],
  };
}

function noteLine(version: number, traits: Traits): string {
  if (version < 5) return '7. Notes for drivers are taken by the depot: hand over.';
  return traits.has('notes kept')
    ? '7. Keep a note for the driver with leave_driver_note, then confirm it.'
    : '7. Callers may leave a note for the driver. Confirm that it was added.';
}

function tools(version: number, traits: Traits, datesAsDates: boolean): Json[] {
  const number = { tracking_number: { type: 'string', pattern: '^SL[0-9]{8}$' } };
  return [
    tool('track_parcel', 'Where a parcel is and when it comes', number),
    tool('change_delivery_day', 'Deliver on another day', {
      ...number,
      date: datesAsDates
        ? { type: 'string', format: 'date' }
        : { type: 'string', description: 'As the caller said it' },
    }),
    tool(
      'redirect_to_pickup_point',
      'Send the parcel to a shop',
      { ...number, pickup_point: { type: 'string' } },
      { timeout_ms: 20_000, speak_during_execution: false },
    ),
    tool('open_claim', 'Open a claim for a damaged or missing parcel', {
      ...number,
      reason: { type: 'string' },
      item: { type: 'string' },
    }),
    tool('quote_price', 'Price of sending a parcel', { weight_kg: { type: 'number' }, service: { type: 'string' } }),
    tool('get_account', 'Customer data for a parcel', number),
    ...(version < 5
      ? []
      : [tool('send_tracking_link', 'Send a link by text message', { ...number, phone: { type: 'string' } })]),
    ...(traits.has('notes kept')
      ? [tool('leave_driver_note', 'Keep a note for the driver', { ...number, note: { type: 'string' } })]
      : []),
    {
      type: 'transfer_call',
      name: 'transfer_call',
      description: 'Hand the caller over to the service desk',
      transfer_destination: { type: 'predefined', number: '+12025550161' },
    },
    { type: 'end_call', name: 'end_call', description: 'End the call when the caller has said goodbye' },
  ];
}

function tool(name: string, description: string, properties: JsonObject, settings: JsonObject = {}): JsonObject {
  return {
    type: 'custom',
    name,
    description,
    url: `https://api.swiftlane.example/v1/${name.replaceAll('_', '-')}`,
    method: 'POST',
    headers: { 'x-api-key': 'demo-parcel-key' },
    timeout_ms: 10_000,
    speak_after_execution: true,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
    ...settings,
  };
}
