// The fields of a form as HTML: on its page, and to paste into a site.
import { formFieldNames } from '@rapport/contract';
import { escapeHtml } from '../../http/reference/html.js';
import type { FormField, PublicForm } from './queries.js';

/** What the fields show beside their labels. */
interface FieldsShown {
  /** What was typed, or comes from the page's query. */
  values: ReadonlyMap<string, string>;
  /** What is wrong, by property, in words. */
  faults: ReadonlyMap<string, string>;
  /** For people whose screen reader announces the hidden field. */
  leaveEmpty: string;
  /** How the field that people do not see is kept from them. */
  apart: string;
  /** What the ids of the fields begin with. */
  ids: string;
}

export function fieldsHtml(fields: readonly FormField[], shown: FieldsShown): string {
  return fields.map((field) => fieldHtml(field, shown)).join('') + honeypotHtml(shown);
}

function fieldHtml(field: FormField, { values, faults, ids }: FieldsShown): string {
  const { property, label, type, required } = field;
  const value = values.get(property) ?? '';
  const fault = faults.get(property);
  const id = `${ids}-${property}`;
  const told = fault === undefined ? '' : ` aria-invalid="true" aria-describedby="${id}-fault"`;
  const common = `id="${id}" name="${property}"${required ? ' required' : ''}${told}`;
  const words = escapeHtml(label);
  // The label of a hidden field is not on the page.
  const about = type === 'hidden' ? `${words}: ` : '';
  const below = fault === undefined ? '' : `<p class="bad" id="${id}-fault">${about}${escapeHtml(fault)}</p>`;
  if (type === 'hidden') {
    const input = `<input type="hidden" name="${property}" value="${escapeHtml(value)}">`;
    return below === '' ? `${input}\n` : `<div class="field">${input}${below}</div>\n`;
  }
  if (type === 'checkbox') {
    const box = `<input type="checkbox" value="true" ${common}${value === '' ? '' : ' checked'}>`;
    return `<div class="field"><label class="tick">${box}<span>${words}</span></label>${below}</div>\n`;
  }
  return `<div class="field"><label for="${id}">${words}</label>${controlOf(field, common, value)}${below}</div>\n`;
}

function controlOf({ type, options = [] }: FormField, common: string, value: string): string {
  if (type === 'textarea') return `<textarea rows="4" ${common}>\n${escapeHtml(value)}</textarea>`;
  if (type === 'select') {
    const choices = ['', ...options].map(
      (option) =>
        `<option value="${escapeHtml(option)}"${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
    );
    return `<select ${common}>${choices.join('')}</select>`;
  }
  const kind = type === 'email' ? 'type="email" autocomplete="email"' : 'type="text"';
  return `<input ${kind} ${common} value="${escapeHtml(value)}">`;
}

/** Robots fill in whatever there is. */
function honeypotHtml({ leaveEmpty, apart }: FieldsShown): string {
  const name = formFieldNames.honeypot;
  return `<div ${apart} aria-hidden="true"><label>${escapeHtml(leaveEmpty)} <input type="text" name="${name}" value="" tabindex="-1" autocomplete="off"></label></div>\n`;
}

export function consentHtml({ consentText }: Pick<PublicForm, 'consentText'>): string {
  return `<p class="consent">${escapeHtml(consentText)}</p>\n`;
}

/** To paste into a site. It works without the script; then the page that it leads to asks for the proof. */
export function embedOf(
  form: Pick<PublicForm, 'formId' | 'fields' | 'consentText'>,
  url: string,
  scriptUrl: string,
): string {
  const fields = fieldsHtml(form.fields, {
    ...{ values: new Map(), faults: new Map(), leaveEmpty: 'Leave this empty' },
    // A page may have several forms.
    ids: `f-${form.formId}`,
    apart: 'style="position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden"',
  });
  return `<form action="${escapeHtml(url)}" method="post" data-rapport-form>
${fields}${consentHtml(form)}<button type="submit">Send</button>
</form>
<script src="${escapeHtml(scriptUrl)}" async></script>
`;
}
