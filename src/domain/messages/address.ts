/** Where a channel's messages go, with what is secret about it. */
export type ChannelAddress =
  /** An incoming webhook of Slack, or of what imitates it. */
  | { by: 'incoming_webhook'; url: string }
  /** A bot of Slack that posts in a conversation, whose answers name the message for those beneath it. */
  | { by: 'bot'; token: string; conversation: string; apiUrl: string }
  | { by: 'email'; to: string }
  /** The integration key of a service of PagerDuty. */
  | { by: 'pagerduty'; routingKey: string; apiUrl: string }
  | { by: 'opsgenie'; apiKey: string; apiUrl: string };
