// All texts of the pages for people, in every supported language. `{email}` becomes the address, `{topic}` the topic of the message.

export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

interface Words {
  title: string;
  text: string;
}
interface WordsAndButton extends Words {
  button: string;
}

interface WordsAndButtons extends Words {
  buttons: readonly [string, string];
}
interface PreferenceWords extends WordsAndButton {
  everything: string;
  everythingMore: string;
  saved: string;
}

export interface Texts {
  /** Asks before anything is changed. */
  unsubscribe: WordsAndButton;
  /** It is done; the button undoes it. */
  unsubscribed: WordsAndButton;
  /** It is undone; the link leads back to the question. */
  resubscribed: WordsAndButton;
  /** The same for one topic, while other mail continues. The second button, shown afterwards, is for everything. */
  unsubscribeTopic: WordsAndButton;
  unsubscribedTopic: WordsAndButtons;
  resubscribedTopic: WordsAndButton;
  /** A checkbox for each topic, and one for everything. */
  preferences: PreferenceWords;
  /** Not a valid link: forged, cut off, or from a tenant that no longer exists. */
  unknown: Words;
  /** The person was erased. */
  gone: Words;
  /** Something went wrong on our side. */
  unavailable: Words;
}

export const texts: Record<Language, Texts> = {
  en: {
    unsubscribe: {
      title: 'Unsubscribe?',
      text: '{email} will get no more emails from us.',
      button: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'You are unsubscribed',
      text: '{email} will get no more emails from us. Was that a mistake?',
      button: 'Subscribe again',
    },
    resubscribed: {
      title: 'You are subscribed again',
      text: '{email} will get our emails again.',
      button: 'Unsubscribe after all',
    },
    unsubscribeTopic: {
      title: 'Unsubscribe from {topic}?',
      text: '{email} will get no more emails about {topic}. All other emails will continue.',
      button: 'Unsubscribe',
    },
    unsubscribedTopic: {
      title: 'You are unsubscribed from {topic}',
      text: '{email} will get no more emails about {topic}. All other emails continue.',
      buttons: ['Subscribe to it again', 'Unsubscribe from everything'],
    },
    resubscribedTopic: {
      title: 'You are subscribed to {topic} again',
      text: '{email} will get emails about {topic} as before.',
      button: 'Unsubscribe after all',
    },
    preferences: {
      title: 'Your emails',
      text: 'What would you like {email} to get?',
      button: 'Save',
      everything: 'No emails at all',
      everythingMore: 'Overrides the choices above.',
      saved: 'Your choices are saved.',
    },
    unknown: {
      title: 'This link doesn’t work',
      text: 'Part of it may be missing. Please open it from the email again, or copy the whole link.',
    },
    gone: {
      title: 'Nothing here anymore',
      text: 'Your data, including your email address, has been deleted. There is nothing left to do.',
    },
    unavailable: {
      title: 'That didn’t work',
      text: 'Something went wrong on our side. Please try again in a few minutes.',
    },
  },
  de: {
    unsubscribe: {
      title: 'Abmelden?',
      text: '{email} bekommt dann keine E-Mails mehr von uns.',
      button: 'Abmelden',
    },
    unsubscribed: {
      title: 'Sie sind abgemeldet',
      text: '{email} bekommt keine E-Mails mehr von uns. War das ein Versehen?',
      button: 'Wieder anmelden',
    },
    resubscribed: {
      title: 'Sie sind wieder angemeldet',
      text: '{email} bekommt unsere E-Mails wieder.',
      button: 'Doch abmelden',
    },
    unsubscribeTopic: {
      title: 'Von {topic} abmelden?',
      text: '{email} bekommt dann keine E-Mails mehr zu {topic}. Alle anderen E-Mails kommen weiterhin.',
      button: 'Abmelden',
    },
    unsubscribedTopic: {
      title: 'Sie sind von {topic} abgemeldet',
      text: '{email} bekommt keine E-Mails mehr zu {topic}. Alle anderen E-Mails kommen weiterhin.',
      buttons: ['Dazu wieder anmelden', 'Von allem abmelden'],
    },
    resubscribedTopic: {
      title: 'Sie sind wieder zu {topic} angemeldet',
      text: '{email} bekommt E-Mails zu {topic} wie bisher.',
      button: 'Doch abmelden',
    },
    preferences: {
      title: 'Ihre E-Mails',
      text: 'Was soll {email} bekommen?',
      button: 'Speichern',
      everything: 'Gar keine E-Mails',
      everythingMore: 'Was auch immer oben angekreuzt ist.',
      saved: 'Ihre Auswahl ist gespeichert.',
    },
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht fehlt ein Teil davon. Bitte öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie die ganze Adresse.',
    },
    gone: {
      title: 'Hier ist nichts mehr',
      text: 'Ihre Daten, auch Ihre E-Mail-Adresse, wurden gelöscht. Es ist nichts mehr zu tun.',
    },
    unavailable: {
      title: 'Das hat nicht geklappt',
      text: 'Bei uns ist etwas nicht in Ordnung. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    },
  },
  fr: {
    unsubscribe: {
      title: 'Se désabonner ?',
      text: '{email} ne recevra plus d’e-mails de notre part.',
      button: 'Se désabonner',
    },
    unsubscribed: {
      title: 'Vous êtes désabonné(e)',
      text: '{email} ne reçoit plus d’e-mails de notre part. C’était une erreur ?',
      button: 'Se réabonner',
    },
    resubscribed: {
      title: 'Vous êtes de nouveau abonné(e)',
      text: '{email} recevra de nouveau nos e-mails.',
      button: 'Finalement, se désabonner',
    },
    unsubscribeTopic: {
      title: 'Se désabonner de {topic} ?',
      text: '{email} ne recevra plus d’e-mails sur {topic}. Tous les autres e-mails continuent.',
      button: 'Se désabonner',
    },
    unsubscribedTopic: {
      title: 'Vous êtes désabonné(e) de {topic}',
      text: '{email} ne reçoit plus d’e-mails sur {topic}. Tous les autres e-mails continuent.',
      buttons: ['S’y réabonner', 'Se désabonner de tout'],
    },
    resubscribedTopic: {
      title: 'Vous êtes de nouveau abonné(e) à {topic}',
      text: '{email} recevra les e-mails sur {topic} comme avant.',
      button: 'Finalement, se désabonner',
    },
    preferences: {
      title: 'Vos e-mails',
      text: 'Que souhaitez-vous que {email} reçoive ?',
      button: 'Enregistrer',
      everything: 'Aucun e-mail',
      everythingMore: 'Quoi que vous ayez coché ci-dessus.',
      saved: 'Votre choix est enregistré.',
    },
    unknown: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il en manque peut-être une partie. Ouvrez-le de nouveau depuis l’e-mail, ou copiez l’adresse entière.',
    },
    gone: {
      title: 'Il n’y a plus rien ici',
      text: 'Vos données, y compris votre adresse e-mail, ont été supprimées. Il n’y a plus rien à faire.',
    },
    unavailable: {
      title: 'Cela n’a pas marché',
      text: 'Il y a un problème de notre côté. Veuillez réessayer dans quelques minutes.',
    },
  },
  es: {
    unsubscribe: {
      title: '¿Darse de baja?',
      text: '{email} no recibirá más correos nuestros.',
      button: 'Darse de baja',
    },
    unsubscribed: {
      title: 'Se ha dado de baja',
      text: '{email} ya no recibe correos nuestros. ¿Fue un error?',
      button: 'Suscribirse de nuevo',
    },
    resubscribed: {
      title: 'Está suscrito de nuevo',
      text: '{email} volverá a recibir nuestros correos.',
      button: 'Darse de baja de todos modos',
    },
    unsubscribeTopic: {
      title: '¿Darse de baja de {topic}?',
      text: '{email} no recibirá más correos sobre {topic}. Todos los demás correos continúan.',
      button: 'Darse de baja',
    },
    unsubscribedTopic: {
      title: 'Se ha dado de baja de {topic}',
      text: '{email} ya no recibe correos sobre {topic}. Todos los demás correos continúan.',
      buttons: ['Suscribirse de nuevo', 'Darse de baja de todo'],
    },
    resubscribedTopic: {
      title: 'Está suscrito de nuevo a {topic}',
      text: '{email} recibirá correos sobre {topic} como antes.',
      button: 'Darse de baja de todos modos',
    },
    preferences: {
      title: 'Sus correos',
      text: '¿Qué quiere que reciba {email}?',
      button: 'Guardar',
      everything: 'Ningún correo',
      everythingMore: 'Marque lo que marque arriba.',
      saved: 'Su elección se ha guardado.',
    },
    unknown: {
      title: 'Este enlace no funciona',
      text: 'Puede que le falte una parte. Ábralo otra vez desde el correo, o copie la dirección completa.',
    },
    gone: {
      title: 'Aquí ya no hay nada',
      text: 'Sus datos, incluida su dirección de correo, se han eliminado. No queda nada por hacer.',
    },
    unavailable: {
      title: 'No ha funcionado',
      text: 'Algo va mal por nuestra parte. Vuelva a intentarlo dentro de unos minutos.',
    },
  },
};
