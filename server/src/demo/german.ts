// The first email of the demo in German.
import type { ContentSpan, Design } from '@rapport/contract';
import { type DesignText, mapTexts } from '../features/designs/index.js';

const texts: Readonly<Record<string, string>> = {
  EXAMPLE: 'EXAMPLE DEUTSCHLAND',
  'Welcome, ': 'Willkommen, ',
  friend: 'schön, dass du da bist',
  'Good to have you here. Your workspace is ready, and setting it up takes about ten minutes. Start with these three:':
    'Dein Arbeitsbereich ist bereit, und das Einrichten dauert etwa zehn Minuten. Beginne mit diesen drei Schritten:',
  'Create a project. ': 'Lege ein Projekt an. ',
  'Pick one that is under way, so that you see something real at once.':
    'Nimm eines, das schon läuft. So siehst du gleich etwas Echtes.',
  'Add what is due this week. ': 'Trage ein, was diese Woche ansteht. ',
  'Five tasks are enough for a start.': 'Fünf Aufgaben genügen für den Anfang.',
  'Invite one colleague. ': 'Lade eine Kollegin oder einen Kollegen ein. ',
  'Everything gets easier with two.': 'Zu zweit geht alles leichter.',
  'You are on the free plan. It has everything you need to start.':
    'Du nutzt den kostenlosen Tarif. Er hat alles, was du für den Anfang brauchst.',
  'Create your first project': 'Erstes Projekt anlegen',
  'Prefer to look around first? ': 'Möchtest du dich erst umsehen? ',
  'Open the sample project': 'Öffne das Beispielprojekt',
  '. Nothing in it can break.': '. Dort kann nichts kaputtgehen.',
  'Stuck on something? Reply to this email and we will help.':
    'Kommst du nicht weiter? Antworte auf diese E-Mail, wir helfen dir.',
  'Example Ltd, 1 High Street, London EC1A 1AA': 'Example GmbH, Hauptstraße 1, 10115 Berlin',
  'You get this email because you have an account at Example.':
    'Du bekommst diese E-Mail, weil du ein Konto bei Example hast.',
};

const german = (text: string) => texts[text] ?? text;

function inGerman(text: DesignText): DesignText {
  if (typeof text === 'string') return german(text);
  return text.map((span): ContentSpan => {
    if ('text' in span) return { ...span, text: german(span.text) };
    return span.default === undefined ? span : { ...span, default: german(span.default) };
  });
}

export function welcomeInGerman(design: Design) {
  return {
    subject: 'Willkommen, {{ first_name | default: "schön, dass du da bist" }}',
    preheader: 'Drei Schritte, etwa zehn Minuten.',
    design: mapTexts(design, (_place, text) => inGerman(text)),
  };
}
