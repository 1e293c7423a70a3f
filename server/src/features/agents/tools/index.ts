// The tools, in the order in which they are listed.
import { applyTool, type PlanNeeds, planTool } from '../plans/plan.js';
import type { Tool } from '../tool.js';
import { explain, findContacts, getContactTool, previewAudience } from './contacts.js';
import { type EmailNeeds, getEmailTool, listEmailsTool, previewEmailTool } from './emails.js';
import { getJourneyTool, type JourneyNeeds, listJourneysTool, simulateJourneyTool } from './journeys.js';
import { saveEmail, saveJourney, saveList } from './save.js';
import { getStatistics } from './statistics.js';
import { updateContact } from './update-contact.js';
import { describeWorkspace, search } from './workspace.js';

type ToolNeeds = PlanNeeds & EmailNeeds & JourneyNeeds;

export function toolTable(needs: ToolNeeds): readonly Tool[] {
  return [
    describeWorkspace,
    search,
    getContactTool,
    findContacts,
    previewAudience,
    explain,
    listJourneysTool,
    getJourneyTool(needs),
    simulateJourneyTool(needs),
    listEmailsTool,
    getEmailTool,
    previewEmailTool(needs),
    getStatistics,
    saveList(needs),
    saveEmail(needs),
    saveJourney(needs),
    updateContact(needs),
    planTool(needs),
    applyTool(needs),
  ];
}
