// Figures side by side. Small tables inside cards with all rows, so nothing to page or sort.
import { Anchor, Text } from '@mantine/core';
import tables from '../../../shared/table/figure-table.module.css';
import { figures, t } from '../../../texts/emails.ts';
import { rates as shares, t as words } from '../../../texts/figure.ts';
import { languageName } from '../../../texts/languages.ts';
import { percent, whole } from '../../../texts/numbers.ts';
import type { EmailStats } from '../email-api.ts';
import classes from './tables.module.css';

export function VersionTable({ stats }: { stats: EmailStats }) {
  const rows = [
    { name: t.defaultVersion, of: stats.versions.default },
    { name: t.personalized, of: stats.versions.personalized },
  ];
  return <FigureTable title={t.version} rows={rows} />;
}

export function LanguageTable({ languages }: { languages: NonNullable<EmailStats['languages']> }) {
  const rows = languages.map((of) => ({ name: of.language === null ? t.ownLanguage : languageName(of.language), of }));
  return <FigureTable title={t.language} rows={rows} />;
}

interface FigureRow {
  name: string;
  of: EmailStats['versions']['default'];
}

function FigureTable({ title, rows }: { title: string; rows: readonly FigureRow[] }) {
  return (
    // It scrolls sideways on a phone, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={tables.frame} tabIndex={0} aria-label={title}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{figures.sent.label}</th>
            <Heading title={figures.delivered.label} of={shares.partOfSent} />
            <Heading title={figures.opened.label} of={shares.partOfDelivered} />
            <Heading title={figures.clicked.label} of={shares.partOfDelivered} />
            <Heading title={figures.unsubscribed.label} of={shares.partOfDelivered} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label={figures.sent.label}>{whole(of.sent)}</td>
              <Share of={figures.delivered.label} count={of.delivered} share={of.rates.deliveryRate} />
              <Share of={figures.opened.label} count={of.uniqueOpened} share={of.rates.openRate} />
              <Share of={figures.clicked.label} count={of.uniqueClicked} share={of.rates.clickRate} />
              <Share of={figures.unsubscribed.label} count={of.unsubscribed} share={of.rates.unsubscribeRate} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A count with a rate: of what it is one. */
function Heading({ title, of }: { title: string; of: string }) {
  return (
    <th scope="col">
      {title} <span className={classes.of}>{of}</span>
    </th>
  );
}

function Share({ of, count, share }: { of: string; count: number; share: number }) {
  return (
    <td data-label={of}>
      {whole(count)} <span className={classes.share}>{percent(share)}</span>
    </td>
  );
}

// More than anyone reads here; the links report has them all.
const mostLinks = 50;

export function LinkTable({ links }: { links: EmailStats['links'] }) {
  if (links.length === 0)
    return (
      <Text c="dimmed" p="md">
        {t.noLinks}
      </Text>
    );
  return (
    // As above.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={tables.frame} tabIndex={0} aria-label={t.link}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t.link}</th>
            <th scope="col">{words.messagesClicked}</th>
            <th scope="col">{t.clicks}</th>
            <th scope="col">{t.machineClicks}</th>
          </tr>
        </thead>
        <tbody>
          {links.slice(0, mostLinks).map(({ url, uniqueClicked, clicked, machineClicked }) => (
            <tr key={url}>
              <th scope="row" className={classes.link}>
                {/^https?:/.test(url) ? (
                  <Anchor href={url} target="_blank" rel="noreferrer" inherit>
                    {url}
                  </Anchor>
                ) : (
                  url
                )}
              </th>
              <td data-label={words.messagesClicked}>{whole(uniqueClicked)}</td>
              <td data-label={t.clicks}>{whole(clicked)}</td>
              <td data-label={t.machineClicks}>{whole(machineClicked)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
