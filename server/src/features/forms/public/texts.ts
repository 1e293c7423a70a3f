// All words of the public pages of forms, in every language that we have.
import type { Language } from '../../messages/index.js';
import type { ValueFault } from '../submissions/read-values.js';

interface Words {
  title: string;
  text: string;
}

interface FormTexts {
  send: string;
  /** Above a form that was not filled in as it should be. */
  faulty: string;
  faults: Record<ValueFault, string>;
  /** Of a checkbox that is required. */
  mustCheck: string;
  leaveEmpty: string;
  done: Words;
  /** A mail was sent that asks. */
  pending: Words;
  /** The browser is to show that it is no robot's; `working` while it does, `byMail` where it runs no scripts. */
  proof: Words & { working: string; byMail: string; mailButton: string; needsScript: string };
  unknown: Words;
  closed: Words;
  tooMany: Words;
  /** Of a link in a mail that asks. `{email}` and `{topics}` are filled in. */
  confirm: Words & { about: string; button: string };
  confirmed: Words;
  used: Words;
  old: Words;
  gone: Words;
  badLink: Words;
}

export const formTexts: Record<Language, FormTexts> = {
  en: {
    send: 'Send',
    faulty: 'Please check the marked fields.',
    faults: {
      required: 'Please fill this in.',
      notAddress: 'Please enter a valid email address.',
      notOption: 'Please choose one of these.',
      notText: 'This contains characters that can’t be stored.',
      tooLong: 'This is too long.',
    },
    mustCheck: 'Please check this box.',
    leaveEmpty: 'Leave this empty',
    done: { title: 'Thank you', text: 'We’ve received your response.' },
    pending: {
      title: 'Please check your inbox',
      text: 'If we’re allowed to email you, a message with a link is on its way. Open the link to confirm.',
    },
    proof: {
      title: 'One moment',
      text: 'We’re checking that you’re not a robot. It takes a second.',
      working: 'Your answers are kept.',
      byMail: 'Scripts are turned off in your browser. We can send you an email with a confirmation link instead.',
      mailButton: 'Send me an email',
      needsScript: 'Please allow scripts on this page and reload it.',
    },
    unknown: { title: 'Form not found', text: 'Part of the address may be missing.' },
    closed: { title: 'This form is closed', text: 'It no longer accepts responses.' },
    tooMany: { title: 'Too many requests', text: 'Please try again in a few minutes.' },
    confirm: {
      title: 'Please confirm',
      text: 'Someone submitted a form with the address {email}.',
      about: 'It is about {topics}.',
      button: 'Yes, confirm',
    },
    confirmed: { title: 'Thank you for confirming', text: 'You can close this page.' },
    used: { title: 'Already confirmed', text: 'There is nothing left to do.' },
    old: { title: 'This link has expired', text: 'Links work for 30 days. Please submit the form again.' },
    gone: { title: 'Nothing here anymore', text: 'What belonged to this link has been deleted.' },
    badLink: {
      title: 'This link doesn’t work',
      text: 'Part of it may be missing. Please open it from the email again, or copy the whole link.',
    },
  },
  de: {
    send: 'Absenden',
    faulty: 'Bitte sehen Sie sich die Felder noch einmal an.',
    faults: {
      required: 'Bitte füllen Sie das aus.',
      notAddress: 'Das ist keine E-Mail-Adresse.',
      notOption: 'Bitte wählen Sie eines davon aus.',
      notText: 'Darin sind Zeichen, die nicht gespeichert werden können.',
      tooLong: 'Das ist zu lang.',
    },
    mustCheck: 'Bitte kreuzen Sie das an.',
    leaveEmpty: 'Bitte leer lassen',
    done: { title: 'Vielen Dank', text: 'Ihre Angaben sind angekommen.' },
    pending: {
      title: 'Bitte sehen Sie in Ihr Postfach',
      text: 'Wir haben Ihnen eine E-Mail geschickt, sofern wir dürfen. Öffnen Sie den Link darin, um zu bestätigen.',
    },
    proof: {
      title: 'Einen Moment',
      text: 'Ihr Browser soll zeigen, dass er keinem Roboter gehört. Das dauert eine Sekunde.',
      working: 'Ihre Eingaben gehen nicht verloren.',
      byMail:
        'Ihr Browser führt keine Skripte aus. Wir können Ihnen stattdessen eine E-Mail mit einem Link zur Bestätigung schicken.',
      mailButton: 'E-Mail schicken',
      needsScript: 'Bitte erlauben Sie Skripte für diese Seite und laden Sie sie neu.',
    },
    unknown: { title: 'Dieses Formular gibt es nicht', text: 'Vielleicht fehlt ein Teil der Adresse.' },
    closed: { title: 'Dieses Formular ist geschlossen', text: 'Es nimmt nichts mehr an.' },
    tooMany: { title: 'Das war viel auf einmal', text: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.' },
    confirm: {
      title: 'Ist das richtig?',
      text: 'Ein Formular wurde mit der Adresse {email} abgeschickt.',
      about: 'Es geht um {topics}.',
      button: 'Ja, bestätigen',
    },
    confirmed: { title: 'Danke, das ist bestätigt', text: 'Sie können diese Seite schließen.' },
    used: { title: 'Das wurde schon bestätigt', text: 'Es ist nichts mehr zu tun.' },
    old: {
      title: 'Dieser Link ist zu alt',
      text: 'Links gelten 30 Tage. Bitte schicken Sie das Formular noch einmal ab.',
    },
    gone: { title: 'Hier ist nichts mehr', text: 'Was zu diesem Link gehörte, wurde gelöscht.' },
    badLink: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht fehlt ein Teil davon. Bitte öffnen Sie ihn noch einmal aus der E-Mail, oder kopieren Sie die ganze Adresse.',
    },
  },
  fr: {
    send: 'Envoyer',
    faulty: 'Veuillez revoir les champs.',
    faults: {
      required: 'Veuillez remplir ce champ.',
      notAddress: 'Ce n’est pas une adresse e-mail.',
      notOption: 'Veuillez choisir l’une de ces réponses.',
      notText: 'Il y a des caractères qui ne peuvent pas être enregistrés.',
      tooLong: 'C’est trop long.',
    },
    mustCheck: 'Veuillez cocher cette case.',
    leaveEmpty: 'À laisser vide',
    done: { title: 'Merci', text: 'Nous avons bien reçu votre envoi.' },
    pending: {
      title: 'Consultez votre boîte mail',
      text: 'Nous vous avons envoyé un e-mail, si nous le pouvons. Ouvrez le lien qu’il contient pour confirmer.',
    },
    proof: {
      title: 'Un instant',
      text: 'Votre navigateur doit montrer que ce n’est pas celui d’un robot. Cela prend une seconde.',
      working: 'Rien de ce que vous avez saisi n’est perdu.',
      byMail:
        'Votre navigateur n’exécute pas de scripts. Nous pouvons vous envoyer un e-mail avec un lien de confirmation.',
      mailButton: 'M’envoyer un e-mail',
      needsScript: 'Veuillez autoriser les scripts pour cette page et la recharger.',
    },
    unknown: { title: 'Ce formulaire n’existe pas', text: 'Il manque peut-être une partie de l’adresse.' },
    closed: { title: 'Ce formulaire est fermé', text: 'Il n’accepte plus rien.' },
    tooMany: { title: 'Cela fait beaucoup d’un coup', text: 'Veuillez réessayer dans quelques minutes.' },
    confirm: {
      title: 'Est-ce correct ?',
      text: 'Un formulaire a été envoyé avec l’adresse {email}.',
      about: 'Il s’agit de {topics}.',
      button: 'Oui, confirmer',
    },
    confirmed: { title: 'Merci, c’est confirmé', text: 'Vous pouvez fermer cette page.' },
    used: { title: 'C’était déjà confirmé', text: 'Il n’y a plus rien à faire.' },
    old: {
      title: 'Ce lien est trop ancien',
      text: 'Les liens sont valables 30 jours. Veuillez renvoyer le formulaire.',
    },
    gone: { title: 'Il n’y a plus rien ici', text: 'Ce qui concernait ce lien a été supprimé.' },
    badLink: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il en manque peut-être une partie. Ouvrez-le de nouveau depuis l’e-mail, ou copiez l’adresse entière.',
    },
  },
  es: {
    send: 'Enviar',
    faulty: 'Revise los campos, por favor.',
    faults: {
      required: 'Rellene este campo, por favor.',
      notAddress: 'Esto no es una dirección de correo.',
      notOption: 'Elija una de estas respuestas, por favor.',
      notText: 'Contiene caracteres que no se pueden guardar.',
      tooLong: 'Es demasiado largo.',
    },
    mustCheck: 'Marque esta casilla, por favor.',
    leaveEmpty: 'Déjelo vacío',
    done: { title: 'Gracias', text: 'Hemos recibido sus datos.' },
    pending: {
      title: 'Mire su buzón, por favor',
      text: 'Le hemos enviado un correo, si podemos hacerlo. Abra el enlace que contiene para confirmar.',
    },
    proof: {
      title: 'Un momento',
      text: 'Su navegador debe mostrar que no es el de un robot. Tarda un segundo.',
      working: 'No se pierde nada de lo que ha escrito.',
      byMail: 'Su navegador no ejecuta scripts. Podemos enviarle un correo con un enlace para confirmar.',
      mailButton: 'Enviarme un correo',
      needsScript: 'Permita los scripts en esta página y vuelva a cargarla.',
    },
    unknown: { title: 'Este formulario no existe', text: 'Puede que falte una parte de la dirección.' },
    closed: { title: 'Este formulario está cerrado', text: 'Ya no acepta nada.' },
    tooMany: { title: 'Eso ha sido mucho de golpe', text: 'Vuelva a intentarlo dentro de unos minutos.' },
    confirm: {
      title: '¿Es correcto?',
      text: 'Se ha enviado un formulario con la dirección {email}.',
      about: 'Se trata de {topics}.',
      button: 'Sí, confirmar',
    },
    confirmed: { title: 'Gracias, queda confirmado', text: 'Puede cerrar esta página.' },
    used: { title: 'Ya se había confirmado', text: 'No queda nada por hacer.' },
    old: {
      title: 'Este enlace es demasiado antiguo',
      text: 'Los enlaces son válidos durante 30 días. Envíe el formulario otra vez.',
    },
    gone: { title: 'Aquí ya no hay nada', text: 'Lo que pertenecía a este enlace se ha eliminado.' },
    badLink: {
      title: 'Este enlace no funciona',
      text: 'Puede que le falte una parte. Ábralo otra vez desde el correo, o copie la dirección completa.',
    },
  },
};
