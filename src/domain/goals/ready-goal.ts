/** What a person could want of a demo agent. */
export interface ReadyGoal {
  title: string;
  request: string;
}
