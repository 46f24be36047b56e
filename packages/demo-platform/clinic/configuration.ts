import type { Json, JsonObject } from '../../../src/domain/json.ts';
import { NO_TRAITS, type Traits } from '../later.ts';
import { GREETING } from './phrases.ts';

/**
 * The flow of the dental reception at one version. Version 2 sent text messages first; version 3 gave the look-up of
 * patients more time, hands over to a desk that is staffed, stopped speaking while the diary loads, and added a note on
 * parking that no variable fills.
 */
export function clinicFlow(version: number, traits: Traits = NO_TRAITS): JsonObject {
  return {
    conversation_flow_id: 'conversation_flow_2b9d4e6f1a70',
    version,
    model_choice: { type: 'cascading', model: 'gpt-4.1' },
    model_temperature: 0.2,
    start_speaker: 'agent',
    start_node_id: 'node_welcome',
    global_prompt:
      'You are {{agent_name}}, the receptionist of {{practice_name}}, a dental practice. Be short and friendly. Ask for the name and the date of birth before you look at anything. Never give medical advice. If a caller asks for a person, hand over to the desk.',
    default_dynamic_variables: { practice_name: 'Maple Court Dental', agent_name: 'Robin' },
    tools: tools(version, traits),
    nodes: nodes(version, traits),
  };
}

function tools(version: number, traits: Traits): Json[] {
  return [
    tool(
      'find_patient',
      'Find a patient by name and date of birth',
      { name: 'string', date_of_birth: 'string' },
      { timeout_ms: version < 3 || traits.has('impatient look-up') ? 2_500 : 12_000, speak_during_execution: true },
    ),
    tool('register_patient', 'Open a file for a new patient', { name: 'string', date_of_birth: 'string' }),
    tool(
      'check_availability',
      'Free times on a day',
      { date: 'string', service: 'string' },
      { timeout_ms: 15_000, speak_during_execution: version < 3 || traits.has('diary announced') },
    ),
    tool('book_appointment', 'Book a visit', {
      patient_id: 'string',
      date: 'string',
      time: 'string',
      service: 'string',
    }),
    tool('move_appointment', 'Move a visit to another time', { visit_id: 'string', date: 'string', time: 'string' }),
    tool('cancel_appointment', 'Cancel a visit', { visit_id: 'string' }),
    tool('confirm_visit', 'Note that the patient will come', { visit_id: 'string' }),
    tool('request_callback', 'Ask the desk to call back', { phone: 'string', topic: 'string' }),
    ...(version < 2
      ? []
      : [
          tool('send_text_confirmation', 'Send the details of a visit by text message', {
            to: 'string',
            visit_id: 'string',
          }),
        ]),
  ];
}

function tool(
  name: string,
  description: string,
  fields: Record<string, string>,
  settings: JsonObject = {},
): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }]));
  return {
    type: 'custom',
    tool_id: `tool_${name}`,
    name,
    description,
    url: `https://api.maplecourt.example/${name.replaceAll('_', '-')}`,
    method: 'POST',
    headers: { authorization: 'Bearer demo-practice-key' },
    timeout_ms: 10_000,
    speak_after_execution: true,
    parameters: { type: 'object', properties, required: Object.keys(fields) },
    ...settings,
  };
}

function nodes(version: number, traits: Traits): Json[] {
  const knowsParking = version < 3 || traits.has('parking known');
  const parking = knowsParking ? 'Patients park behind the building, free of charge.' : 'Parking: {{parking_note}}';
  const desk: Ways = traits.has('fees hand over') ? [['node_handover', 'The caller asks for a person']] : [];
  return [
    talk('node_welcome', 'Welcome', { type: 'static_text', text: GREETING }, [
      ['node_identify', 'The caller wants to book, move, cancel or hear about a visit'],
      ['node_fees', 'The caller asks about fees or insurance'],
      ['node_info', 'The caller asks about hours, the way or parking'],
      ['node_policy', 'The caller asks about the cancellation policy'],
      ['node_handover', 'The caller asks for a person'],
    ]),
    talk(
      'node_identify',
      'Identify the patient',
      prompt('Ask for the full name and the date of birth. Accept a date only as month, day and year.'),
      [
        ['fn_find_patient', 'Name and date of birth were given'],
        ['node_callback', 'The line is too poor'],
      ],
    ),
    work('fn_find_patient', 'Find the patient', 'find_patient', [
      ['node_pick_day', 'The patient was found'],
      ['node_register', 'There is no such patient'],
      ['fn_cancel', 'The caller wants to cancel'],
      ['fn_check_availability', 'It is an emergency'],
      ['node_wrap_up', 'The caller only asked for the date'],
      ['node_callback', 'The look-up failed'],
    ]),
    talk('node_register', 'Register a new patient', prompt('Offer to open a file and call register_patient.'), [
      ['node_pick_day', 'The patient was registered'],
    ]),
    talk('node_pick_day', 'Agree on a day', prompt('Ask for a day. Do not go on without a named day.'), [
      ['fn_check_availability', 'A day was named'],
      ['node_confirm_day', 'No day was named'],
    ]),
    talk('node_confirm_day', 'Confirm the day', prompt('Say that a day is needed.'), [['node_pick_day', 'Always']]),
    work('fn_check_availability', 'Check the diary', 'check_availability', [
      ['node_offer_slots', 'There are free times'],
      ['node_waiting_list', 'Nothing is free'],
    ]),
    talk('node_offer_slots', 'Offer times', prompt('Offer two times.'), [
      ['fn_book', 'A time was chosen for a new visit'],
      ['fn_move', 'A time was chosen for a moved visit'],
      ['fn_check_availability', 'The caller wants another day'],
    ]),
    talk('node_waiting_list', 'Waiting list', prompt('Say that the day is full and offer the waiting list.'), [
      ['node_wrap_up', 'The caller answered'],
    ]),
    work('fn_book', 'Book the visit', 'book_appointment', [
      ['node_offer_text', 'The caller may want a text message'],
      ['node_wrap_up', 'Booked'],
    ]),
    work('fn_move', 'Move the visit', 'move_appointment', [
      ['node_offer_text', 'The caller may want a text message'],
      ['node_wrap_up', 'Moved'],
    ]),
    work('fn_cancel', 'Cancel the visit', 'cancel_appointment', [['node_wrap_up', 'Cancelled']]),
    talk('node_offer_text', 'Offer a text message', prompt('Offer the details by text message.'), [
      ['fn_text', 'The caller wants it'],
      ['node_wrap_up', 'The caller does not want it'],
    ]),
    work('fn_text', 'Send the text message', 'send_text_confirmation', [['node_wrap_up', 'Always']]),
    talk(
      'node_fees',
      'Fees and insurance',
      prompt('Answer from the list of fees. Stay with this step until the question is answered.'),
      [['node_wrap_up', 'The question is answered'], ...desk],
    ),
    talk(
      'node_info',
      'Hours and directions',
      prompt(`Hours: 8:00 to 17:30, Saturdays to 13:00. Address: 48 Maple Court. ${parking}`),
      [['node_wrap_up', 'The question is answered']],
    ),
    talk('node_policy', 'Cancellation policy', prompt('Read the cancellation policy in full.'), [
      ['node_wrap_up', 'The policy was read'],
    ]),
    talk('node_callback', 'Offer a call back', prompt('Apologise, offer a call back and call request_callback.'), [
      ['node_wrap_up', 'Agreed or declined'],
    ]),
    talk('node_reminder', 'Remind of a visit', prompt('Remind of the visit and call confirm_visit.'), [
      ['node_end', 'Confirmed'],
    ]),
    {
      id: 'node_handover',
      type: 'transfer_call',
      name: 'Hand over to the desk',
      transfer_destination: { type: 'predefined', number: version < 3 ? '+12025550101' : '+12025550102' },
      instruction: prompt('Say that you connect the caller.'),
      edges: [],
    },
    talk('node_wrap_up', 'Wrap up', prompt('Ask whether there is anything else.'), [
      ['node_end', 'Nothing else'],
      ['node_identify', 'Another request about a visit'],
    ]),
    { id: 'node_end', type: 'end', name: 'End the call', instruction: prompt('Say goodbye.') },
  ];
}

const prompt = (text: string): JsonObject => ({ type: 'prompt', text });

type Ways = readonly (readonly [to: string, when: string])[];

function talk(id: string, name: string, instruction: JsonObject, ways: Ways): JsonObject {
  return { id, type: 'conversation', name, instruction, edges: edges(id, ways) };
}

function work(id: string, name: string, toolName: string, ways: Ways): JsonObject {
  return {
    id,
    type: 'function',
    name,
    tool_id: `tool_${toolName}`,
    tool_type: 'local',
    wait_for_result: true,
    edges: edges(id, ways),
  };
}

function edges(id: string, ways: Ways): Json[] {
  return ways.map(([to, when], nth) => ({
    id: `edge_${id}_${nth}`,
    transition_condition: { type: 'prompt', prompt: when },
    destination_node_id: to,
  }));
}
