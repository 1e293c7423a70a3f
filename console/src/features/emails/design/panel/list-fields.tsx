// Fields that are lists: the columns of a block, and links to social networks.
import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core';
import { type ColumnsBlock, type SocialBlock, type SocialNetwork, socialNetworks } from '@rapport/contract';
import { PlusIcon, TrashIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import { withColumns, withWidth } from '../model/new-block.ts';
import { lineOf, lineToSpans } from '../model/spans.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';

interface ColumnsFieldProps {
  columns: ColumnsBlock['columns'];
  onChange: (columns: ColumnsBlock['columns']) => void;
}

export function ColumnsField({ columns, onChange }: ColumnsFieldProps) {
  const widths = columns.map(({ width }) => width);
  const setWidth = (at: number, width: number) => {
    const next = withWidth(widths, at, width);
    onChange(columns.map((column, i) => ({ ...column, width: next[i] ?? column.width })));
  };
  return (
    <>
      <Choice
        label={t.addColumn}
        value={String(columns.length)}
        options={['2', '3', '4'].map((each) => ({ value: each, label: each }))}
        onChange={(count) => onChange(withColumns(columns, Number(count)))}
      />
      {widths.map((width, at) => (
        <NumberField
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is named by its place
          key={at}
          label={t.columnWidth(at + 1)}
          value={width}
          least={5}
          most={95}
          step={5}
          isWhole={false}
          onChange={(number) => number !== undefined && number !== width && setWidth(at, number)}
        />
      ))}
    </>
  );
}

interface LinksFieldProps {
  links: SocialBlock['links'];
  onChange: (links: SocialBlock['links']) => void;
}

const networks = Object.entries(socialNetworks).map(([value, label]) => ({ value, label }));
const mostLinks = 20;

export function LinksField({ links, onChange }: LinksFieldProps) {
  const set = (at: number, changes: Partial<SocialBlock['links'][number]>) =>
    onChange(links.map((link, i) => (i === at ? { ...link, ...changes } : link)));
  return (
    <>
      {links.map(({ network, href }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one network may be there twice
        <Group key={at} gap="xs" align="flex-end" wrap="nowrap">
          <Select
            label={t.network}
            data={networks}
            value={network}
            allowDeselect={false}
            onChange={(chosen) => chosen && set(at, { network: chosen as SocialNetwork })}
          />
          <TextInput
            label={t.href}
            value={lineOf(href)}
            onChange={({ currentTarget }) => set(at, { href: lineToSpans(currentTarget.value) })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`${t.removeLink}: ${socialNetworks[network]}`}
            disabled={links.length === 1}
            onClick={() => onChange(links.filter((_, i) => i !== at))}
          >
            <TrashIcon />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<PlusIcon size={13} />}
        disabled={links.length >= mostLinks}
        onClick={() => onChange([...links, { network: 'website', href: 'https://' }])}
      >
        {t.addLink}
      </Button>
    </>
  );
}
