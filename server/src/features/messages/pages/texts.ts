// All words of the pages for people, in every language that we have. `{email}` becomes the address.

export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

interface Words {
  title: string;
  text: string;
}
interface WordsAndButton extends Words {
  button: string;
}

export interface Texts {
  /** Asks before anything is done. */
  unsubscribe: WordsAndButton;
  /** It is done; the button undoes it. */
  unsubscribed: WordsAndButton;
  /** It is undone; the link leads back to the question. */
  resubscribed: WordsAndButton;
  /** No link of ours: forged, cut off, or of a tenant that is gone. */
  unknown: Words;
  /** The person was erased. */
  gone: Words;
  /** Something is broken here. */
  unavailable: Words;
}

export const texts: Record<Language, Texts> = {
  en: {
    unsubscribe: {
      title: 'Unsubscribe?',
      text: '{email} will get no more of these emails.',
      button: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'You are unsubscribed',
      text: '{email} gets no more of these emails. Was that a mistake?',
      button: 'Subscribe again',
    },
    resubscribed: {
      title: 'You are subscribed again',
      text: '{email} will get these emails as before.',
      button: 'Unsubscribe after all',
    },
    unknown: {
      title: 'This link does not work',
      text: 'Part of it may be missing. Please open it from the email again, or copy the whole address.',
    },
    gone: {
      title: 'Nothing here anymore',
      text: 'This email’s data, including the address, has been deleted. There is nothing left to do.',
    },
    unavailable: {
      title: 'That did not work',
      text: 'Something went wrong on our side. Please try again in a few minutes.',
    },
  },
  de: {
    unsubscribe: {
      title: 'Abmelden?',
      text: '{email} bekommt dann keine dieser E-Mails mehr.',
      button: 'Abmelden',
    },
    unsubscribed: {
      title: 'Sie sind abgemeldet',
      text: '{email} bekommt keine dieser E-Mails mehr. War das ein Versehen?',
      button: 'Wieder anmelden',
    },
    resubscribed: {
      title: 'Sie sind wieder angemeldet',
      text: '{email} bekommt diese E-Mails wie bisher.',
      button: 'Doch abmelden',
    },
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht fehlt ein Teil davon. Bitte öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie die ganze Adresse.',
    },
    gone: {
      title: 'Hier ist nichts mehr',
      text: 'Was zu dieser E-Mail gehörte, wurde gelöscht, auch die Adresse. Es ist nichts mehr zu tun.',
    },
    unavailable: {
      title: 'Das hat nicht geklappt',
      text: 'Bei uns ist etwas nicht in Ordnung. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    },
  },
  fr: {
    unsubscribe: {
      title: 'Se désabonner ?',
      text: '{email} ne recevra plus ces e-mails.',
      button: 'Se désabonner',
    },
    unsubscribed: {
      title: 'Vous êtes désabonné(e)',
      text: '{email} ne reçoit plus ces e-mails. C’était une erreur ?',
      button: 'Se réabonner',
    },
    resubscribed: {
      title: 'Vous êtes de nouveau abonné(e)',
      text: '{email} recevra ces e-mails comme avant.',
      button: 'Finalement, se désabonner',
    },
    unknown: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il en manque peut-être une partie. Ouvrez-le de nouveau depuis l’e-mail, ou copiez l’adresse entière.',
    },
    gone: {
      title: 'Il n’y a plus rien ici',
      text: 'Ce qui concernait cet e-mail a été supprimé, l’adresse aussi. Il n’y a plus rien à faire.',
    },
    unavailable: {
      title: 'Cela n’a pas marché',
      text: 'Il y a un problème de notre côté. Veuillez réessayer dans quelques minutes.',
    },
  },
  es: {
    unsubscribe: {
      title: '¿Darse de baja?',
      text: '{email} no recibirá más estos correos.',
      button: 'Darse de baja',
    },
    unsubscribed: {
      title: 'Se ha dado de baja',
      text: '{email} ya no recibe estos correos. ¿Fue un error?',
      button: 'Suscribirse de nuevo',
    },
    resubscribed: {
      title: 'Está suscrito de nuevo',
      text: '{email} recibirá estos correos como antes.',
      button: 'Darse de baja de todos modos',
    },
    unknown: {
      title: 'Este enlace no funciona',
      text: 'Puede que le falte una parte. Ábralo otra vez desde el correo, o copie la dirección completa.',
    },
    gone: {
      title: 'Aquí ya no hay nada',
      text: 'Lo que pertenecía a este correo se ha eliminado, también la dirección. No queda nada por hacer.',
    },
    unavailable: {
      title: 'No ha funcionado',
      text: 'Algo va mal por nuestra parte. Vuelva a intentarlo dentro de unos minutos.',
    },
  },
};
