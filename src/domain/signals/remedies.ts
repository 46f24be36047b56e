/** What would let a code be computed where it could not be, by the reason that its detector gave. First match wins. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /configuration of the version|flow of this version|schema of no tool|tools of the agent are not known/,
    'Let Earshot capture the configuration of the agent: connect its platform, or give prompt and tools with `earshot import --agent-config`.',
  ],
  [
    /^The words of|does not hold the (caller|agent)'s side/,
    'Have the words of both sides recorded where the calls come from, and import these records again.',
  ],
  [
    /Only a model that reads/,
    'Configure a model (`EARSHOT_MODEL_URL` and `EARSHOT_MODEL`, or `ANTHROPIC_API_KEY`) and let it read the calls of this agent.',
  ],
  [
    /no pauses in which noise is heard|mutes the pauses of this recording/,
    'Have the platform record the call without muting pauses, where it offers that; other recordings do not show it.',
  ],
  [
    /recording of this call was not measured/,
    'Switch on `hearRecordings` in the settings of the agent, where its platform keeps recordings.',
  ],
  [/times/, 'Import records whose turns and tool results have exact times (`startMs`, `endMs`, `latencyMs`).'],
  [/no tool call with arguments/, 'Import records that keep tool calls with their arguments.'],
  [/no tool calls|neither tool calls nor steps/, 'Import records that keep tool calls with their results.'],
  [
    /neither success nor failure/,
    'Have the tool say in its answer whether it worked, for example with `success` or `error`.',
  ],
  [/holds no (words|turns) of the agent/, 'Import records with the turns of both sides.'],
  [/names no steps/, 'Import records that name the step of each turn (`nodeId`); agents without a flow have none.'],
  [/how this call ended|who ended this call/, 'Import records with `disconnectionReason` and `endedBy`.'],
  [/whether this was a spoken call/, 'Import records with `channel`.'],
  [/with which variables/, 'Use a platform that keeps the variables with which a call began.'],
  [/confidence for the words/, 'Use a platform, or a speech recogniser, that gives the confidence of its words.'],
  [/latency figures/, 'Use a platform that gives the latency of speech recognition and synthesis for each turn.'],
  [/holds no number/, 'Import records with `callerNumber`, or connect a platform that tells it.'],
  [/key presses/, 'Use a platform that records key presses; calls without any have nothing to read.'],
  [/wording is (required|banned)/, 'Name the wording in the prompt of the agent.'],
  [/words are read in/, 'Phrases of this language are not known: what is found on its calls needs no words.'],
  [/language/i, 'Import records with `language`; phrases are known for some languages only.'],
  [
    /gives no cost/,
    'Connect the platform on which the calls ran, where it tells what a call cost; uploaded records hold no cost.',
  ],
  [
    /have a cost, too few/,
    'Nothing is to be done: it comes with more calls, or with a lower `calls` among the thresholds.',
  ],
  [/not complete|length of this call/, 'Import the record again when the platform has all of it.'],
];

/** A sentence for people, or null where nothing would: the call has nothing on it that the code could be read from. */
export function remedyFor(reason: string): string | null {
  return REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
}
