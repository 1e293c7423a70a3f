// What agents plan, and what becomes of it. Data alone: it needs no TypeBox, and the console imports it.

export const agentActions = [
  ...['activate_journey', 'pause_journey', 'resume_journey', 'stop_journey', 'enrol', 'send_email', 'change'],
] as const;
export type AgentAction = (typeof agentActions)[number];

export const planStates = ['waiting', 'applied', 'expired'] as const;
export type PlanState = (typeof planStates)[number];
