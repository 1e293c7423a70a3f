// The two links of a footer, in the language of the design.

interface FooterWords {
  readonly unsubscribe: string;
  readonly preferences: string;
}

const english: FooterWords = { unsubscribe: 'Unsubscribe', preferences: 'Email preferences' };

const words: Readonly<Record<string, FooterWords>> = {
  en: english,
  ar: { unsubscribe: 'إلغاء الاشتراك', preferences: 'تفضيلات البريد' },
  cs: { unsubscribe: 'Odhlásit odběr', preferences: 'Nastavení e-mailů' },
  da: { unsubscribe: 'Afmeld', preferences: 'E-mailindstillinger' },
  de: { unsubscribe: 'Abmelden', preferences: 'E-Mail-Einstellungen' },
  es: { unsubscribe: 'Darse de baja', preferences: 'Preferencias de correo' },
  fi: { unsubscribe: 'Peruuta tilaus', preferences: 'Sähköpostiasetukset' },
  fr: { unsubscribe: 'Se désabonner', preferences: 'Préférences de messagerie' },
  he: { unsubscribe: 'ביטול הרשמה', preferences: 'העדפות דוא״ל' },
  it: { unsubscribe: 'Annulla iscrizione', preferences: 'Preferenze email' },
  ja: { unsubscribe: '配信停止', preferences: 'メール設定' },
  nb: { unsubscribe: 'Meld deg av', preferences: 'E-postinnstillinger' },
  nl: { unsubscribe: 'Afmelden', preferences: 'E-mailvoorkeuren' },
  pl: { unsubscribe: 'Wypisz się', preferences: 'Ustawienia e-mail' },
  pt: { unsubscribe: 'Cancelar inscrição', preferences: 'Preferências de e-mail' },
  sv: { unsubscribe: 'Avsluta prenumeration', preferences: 'E-postinställningar' },
  tr: { unsubscribe: 'Abonelikten çık', preferences: 'E-posta tercihleri' },
};

export function footerWordsIn(lang: string): FooterWords {
  const language = (lang.split('-')[0] as string).toLowerCase();
  return Object.hasOwn(words, language) ? (words[language] as FooterWords) : english;
}
