/**
 * What records of calls have in common: names of fields as the platforms and our own form write them, usual values, and
 * what agents and callers say on most lines. A short record that is compressed with it takes a third fewer bytes, because
 * it does not have to spell these out. Bytes that are stored open with this very text alone: it never changes, and a
 * better one stands beside it under a mark of its own (`payloads.ts`).
 */
const RETELL = [
  '{"call_id":"call_","call_type":"phone_call","agent_id":"agent_","agent_version":0,"agent_name":"","call_status":"ended",',
  '"call_type":"web_call","access_token":"","from_number":"+1","to_number":"+1","direction":"inbound","direction":"outbound",',
  '"start_timestamp":17,"end_timestamp":17,"duration_ms":1,"disconnection_reason":"agent_hangup","metadata":{},',
  '"retell_llm_dynamic_variables":{},"collected_dynamic_variables":{"previous_node":"","current_node":""},',
  '"opt_out_sensitive_data_storage":false,"data_storage_setting":"everything","latency":{"e2e":{"p50":1,"p90":1,"p95":1,',
  '"p99":1,"max":1,"min":1,"num":1,"values":[]},"llm":{"p50":1,"p90":1,"p95":1,"p99":1,"max":1,"min":1,"num":1,"values":[]},',
  '"tts":{},"asr":{},"knowledge_base":{},"s2s":{}},"call_cost":{"product_costs":[{"product":"","unit_price":0,"cost":0}],',
  '"total_duration_seconds":1,"total_duration_unit_price":0,"combined_cost":1},"call_analysis":{"call_summary":"",',
  '"in_voicemail":false,"user_sentiment":"Neutral","user_sentiment":"Positive","user_sentiment":"Negative",',
  '"call_successful":true,"call_successful":false,"custom_analysis_data":{}},"recording_url":"https://",',
  '"recording_multi_channel_url":"https://","public_log_url":"https://","knowledge_base_retrieved_contents_url":"",',
  '"transcript":"Agent: \\nUser: ","transcript_object":[{"role":"agent","content":"","words":[{"word":"","start":0.1,"end":0.2},',
  '{"word":"the","start":1,"end":2},{"word":"you","start":3,"end":4}],"metadata":{"response_id":1}},{"role":"user",',
  '"content":"","words":[]}],"transcript_with_tool_calls":[{"role":"tool_call_invocation","tool_call_id":"","name":"",',
  '"arguments":"{\\"","time_sec":1,"thought_signature":""},{"role":"tool_call_result","tool_call_id":"","successful":true,',
  '"content":"{\\"","time_sec":1},{"role":"node_transition","former_node_id":"","former_node_name":"","new_node_id":"",',
  '"new_node_name":"","transition_type":"global"}],"scrubbed_transcript_with_tool_calls":[],"scrubbed_recording_url":""}',
];

const VAPI = [
  '{"id":"","orgId":"","type":"inboundPhoneCall","type":"outboundPhoneCall","type":"webCall","createdAt":"20","updatedAt":"20',
  '","startedAt":"20","endedAt":"20","status":"ended","endedReason":"customer-ended-call","endedReason":"assistant-ended-call",',
  '"assistantId":"","assistantVersion":"","squadId":"","customer":{"number":"+1"},"phoneNumberId":"","phoneCallProvider":"",',
  '"cost":0.0,"costBreakdown":{"stt":0,"llm":0,"tts":0,"vapi":0,"total":0,"llmPromptTokens":1,"llmCompletionTokens":1,',
  '"ttsCharacters":1},"costs":[{"type":"transcriber","minutes":1,"cost":0}],"assistantOverrides":{"variableValues":{}},',
  '"analysis":{"summary":"","successEvaluation":"true","structuredData":{}},"artifact":{"transcript":"AI: \\nUser: ",',
  '"recordingUrl":"https://","stereoRecordingUrl":"","variableValues":{},"assistantActivations":[{"assistantId":"",',
  '"assistantName":""}],"performanceMetrics":{"turnLatencies":[{"modelLatency":1,"voiceLatency":1,"transcriberLatency":1,',
  '"endpointingLatency":1,"turnLatency":1}],"turnLatencyAverage":1},"messages":[{"role":"system","message":"","time":17,',
  '"secondsFromStart":0},{"role":"bot","message":"","time":17,"endTime":17,"secondsFromStart":1.2,"duration":1000,"source":""},',
  '{"role":"user","message":"","time":17,"endTime":17,"secondsFromStart":1,"duration":1,"metadata":{"wordLevelConfidence":',
  '[{"word":"","start":1,"end":1,"punctuated_word":"","confidence":0.9}]}},{"role":"tool_calls","message":"","toolCalls":[',
  '{"id":"","type":"function","function":{"name":"","arguments":"{\\""}}]},{"role":"tool_call_result","toolCallId":"",',
  '"name":"","result":"","metadata":{}}],"messagesOpenAIFormatted":[{"role":"assistant","content":""}]}}',
];

const ELEVENLABS = [
  '{"agent_id":"agent_","agent_name":"","conversation_id":"conv_","status":"done","user_id":null,"version_id":"","branch_id":"",',
  '"metadata":{"start_time_unix_secs":17,"accepted_time_unix_secs":17,"call_duration_secs":1,"cost":1,"cost_fiat":0.0,',
  '"deletion_settings":{},"feedback":{"overall_score":null,"likes":0,"dislikes":0},"authorization_method":"","charging":{},',
  '"phone_call":{"direction":"inbound","phone_number_id":"","agent_number":"","external_number":"+1","type":"twilio",',
  '"call_sid":""},"termination_reason":"","error":null,"main_language":"en","text_only":false},"analysis":{',
  '"evaluation_criteria_results":{},"data_collection_results":{},"call_successful":"success","transcript_summary":""},',
  '"conversation_initiation_client_data":{"dynamic_variables":{}},"has_audio":true,"has_user_audio":true,"transcript":[',
  '{"role":"agent","agent_metadata":{"agent_id":"","workflow_node_id":""},"message":"","multivoice_message":null,',
  '"tool_calls":[],"tool_results":[],"feedback":null,"llm_override":null,"time_in_call_secs":1,"conversation_turn_metrics":{',
  '"metrics":{"convai_llm_service_ttfb":{"elapsed_time":0.1}}},"rag_retrieval_info":null,"llm_usage":null,',
  '"interrupted":false,"original_message":null,"source_medium":"audio"},{"role":"user","agent_metadata":null,"message":"",',
  '"tool_calls":[{"type":"webhook","request_id":"","tool_name":"","params_as_json":"{\\"","tool_has_been_called":true,',
  '"tool_details":{"type":"webhook","method":"POST","url":"https://","headers":{},"path_params":{},"query_params":{},',
  '"body":""}}],"tool_results":[{"type":"webhook","request_id":"","tool_name":"","result_value":"{\\"","is_error":false,',
  '"is_blocked":false,"tool_latency_secs":0.1,"error_type":"","raw_error_message":""}]}]}',
];

/** Not their own words: what is said in about this form on lines of every trade. */
const SAID = [
  'Hello, thank you for calling. How can I help you today? Hi, this is speaking. What can I do for you? Good morning. ',
  "I'm calling about my order. I would like to make an appointment. I want to cancel. I need to change my booking. ",
  'Sure, I can help you with that. Of course. No problem. Let me check that for you. One moment, please. Please hold on. ',
  'Could you please tell me your name, your phone number, your date of birth, your email address, your account number? ',
  'May I have your reference number? Can you spell that for me? Is that correct? Let me confirm. Just to confirm, ',
  "I'm sorry, I didn't catch that. Could you repeat that? I'm sorry to hear that. I apologize for the inconvenience. ",
  "I don't have that information. Unfortunately, I'm not able to do that. Would you like me to transfer you? Would you like to ",
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September October ',
  'November December tomorrow morning afternoon evening at ten thirty available times next week ',
  'Yes, please. No, thank you. Okay. All right. That works. That is right. Great, thanks. Thank you very much for your help. ',
  'Is there anything else I can help you with? You have been booked. Your appointment is confirmed. We will send you a ',
  'confirmation. Have a great day. Goodbye. Bye. What is the status of my delivery? payment address customer service ',
];

const TOOLS = [
  '"name":"find_","name":"get_","name":"check_","name":"book_","name":"cancel_","name":"update_","name":"create_",',
  '"name":"end_call","name":"transfer_call","args":{"id":"","date":"20","time":"","phone":"+1","email":"","status":"',
  '","available":true,"success":true,"success":false,"found":false,"error":"service unavailable","error":"timeout",',
  '"error":"not found","status":500,"status":"confirmed","message":"","result":{}}',
];

/** Last, because what is near costs least: the record of docs/record.md, and a call as it is kept. */
const RECORD = [
  '{"id":"","providerCallId":"","version":1,"startedAt":"2026-01-01T00:00:00.000Z","endedAt":"2026-01-01T00:00:00.000Z",',
  '"durationMs":1,"direction":"inbound","channel":"voice","language":"en-US","disconnectionReason":"user_hangup","endedBy":',
  '"caller","ending":{"hint":"unknown","family":"caller_end","endedBy":"caller"},"callerNumber":null,"callerNumber":"+1555",',
  '"timing":"exact","latency":null,"costUsd":null,"variables":null,"platformAnalysis":null,"partial":false,"warnings":[],',
  '"transitions":[{"atTurn":1,"atMs":1,"fromId":"","toId":"","toLabel":"","kind":""}],"turns":[{"index":0,"role":"agent","text":',
  '"","startMs":1,"endMs":2,"words":[{"text":"","startMs":1,"endMs":2,"confidence":null}],"interrupted":true,"nodeId":"start",',
  '"toolCall":null,"toolResult":null,"dtmf":null,"alternatives":null},{"index":1,"role":"tool","text":"","startMs":1,"endMs":2,',
  '"words":null,"interrupted":false,"nodeId":null,"toolCall":null,"toolResult":{"id":"","name":"","ok":true,"okSource":"flag",',
  '"body":{},"latencyMs":1},"dtmf":null,"alternatives":null},{"index":2,"role":"agent","text":"","startMs":1,"endMs":2,',
  '"words":null,"interrupted":false,"nodeId":null,"toolCall":{"id":"call_","name":"","args":{}},"toolResult":null,',
  '"dtmf":null,"alternatives":null},{"index":3,"role":"caller","text":"","startMs":1,"endMs":2,"words":null,',
  '"interrupted":false,"nodeId":null,"toolCall":null,"toolResult":null,"dtmf":null,"alternatives":null},{"index":',
];

export const CALL_DICTIONARY: Buffer = Buffer.from([RETELL, VAPI, ELEVENLABS, SAID, TOOLS, RECORD].flat().join(''));
