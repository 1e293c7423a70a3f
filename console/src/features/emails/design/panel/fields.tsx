// A field for each kind of value that the contract's grammar gives to blocks.
import { Switch, Textarea, TextInput } from '@mantine/core';
import {
  alignments,
  type Block,
  type BlockFieldKind,
  type ColumnsBlock,
  designLimits,
  type LinkAddress,
  type SocialBlock,
} from '@rapport/contract';
import type { ReactNode } from 'react';
import { t } from '../../../../texts/designs.ts';
import { FilterField } from '../../../audiences/filter-field.tsx';
import { lineOf, lineToSpans } from '../model/spans.ts';
import { Choice } from './choice.tsx';
import { ColumnsField, LinksField } from './list-fields.tsx';
import { NumberField } from './number-field.tsx';
import classes from './panel.module.css';
import { PictureField } from './picture-field.tsx';

interface FieldProps {
  block: Block;
  name: string;
  value: unknown;
  isOptional: boolean;
  /** Undefined takes the field away. */
  onChange: (value: unknown) => void;
}

type Field = (props: FieldProps) => ReactNode;

const labels: Readonly<Record<string, string>> = {
  ...{ label: t.label, href: t.href, src: t.pictureAddress, alt: t.alt, address: t.address, html: t.html },
  ...{ of: t.each, wide: t.wide, stack: t.stack, size: t.size, width: t.width, height: t.height },
};
const labelOf = (name: string) => labels[name] ?? name;

function Line({ name, value, isOptional, onChange }: FieldProps) {
  return (
    <TextInput
      label={labelOf(name)}
      placeholder={name === 'href' ? t.hrefHint : ''}
      value={lineOf((value ?? '') as LinkAddress)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' && isOptional ? undefined : lineToSpans(currentTarget.value))
      }
    />
  );
}

function PlainText({ block, name, value, onChange }: FieldProps) {
  const input = {
    label: labelOf(name),
    value: (value ?? '') as string,
    ...(name === 'alt' ? { description: t.altHint } : {}),
    ...(name === 'of' ? { description: t.eachHint } : {}),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (name === 'src') return <PictureField src={input.value} onChange={onChange} />;
  if (block.type === 'html')
    return <Textarea {...input} autosize minRows={8} maxRows={20} classNames={{ input: classes.mono ?? '' }} />;
  if (name === 'address') return <Textarea {...input} autosize minRows={2} />;
  return <TextInput {...input} />;
}

function numberField(least: number, most: number, usual: (block: Block) => number | undefined): Field {
  return ({ block, name, value, onChange }) => (
    <NumberField
      label={labelOf(name)}
      value={value as number | undefined}
      usual={usual(block)}
      least={least}
      most={most}
      onChange={onChange}
    />
  );
}

function Align({ value, onChange }: FieldProps) {
  return (
    <Choice
      label={t.align}
      value={(value as string | undefined) ?? 'left'}
      options={alignments.map((each) => ({ value: each, label: t.alignments[each] }))}
      onChange={(chosen) => onChange(chosen === 'left' ? undefined : chosen)}
    />
  );
}

const { height, textSize } = designLimits;

/** Undefined: edited on the canvas. */
export const fieldOf: Readonly<Record<BlockFieldKind, Field | undefined>> = {
  content: undefined,
  blocks: undefined,
  id: undefined,
  label: Line,
  address: Line,
  text: PlainText,
  path: PlainText,
  alignment: ({ block, ...props }) =>
    block.type === 'image' ? (
      <Choice
        label={t.align}
        value={(props.value as string | undefined) ?? 'center'}
        options={alignments.map((each) => ({ value: each, label: t.alignments[each] }))}
        onChange={(chosen) => props.onChange(chosen === 'center' ? undefined : chosen)}
      />
    ) : (
      <Align block={block} {...props} />
    ),
  level: ({ value, onChange }) => (
    <Choice
      label={t.level}
      value={String(value)}
      options={['1', '2', '3'].map((each) => ({ value: each, label: each }))}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  ),
  flag: ({ name, value, onChange }) => {
    const usual = name === 'stack';
    return (
      <Switch
        label={labelOf(name)}
        classNames={{ label: classes.label ?? '' }}
        checked={(value as boolean | undefined) ?? usual}
        onChange={({ currentTarget }) => onChange(currentTarget.checked === usual ? undefined : currentTarget.checked)}
      />
    );
  },
  textSize: numberField(textSize.least, textSize.most, () => textSize.usual),
  percent: numberField(1, 100, () => 100),
  height: numberField(height.least, height.most, ({ type }) => (type === 'spacer' ? height.spacer : height.divider)),
  columns: ({ value, onChange }) => <ColumnsField columns={value as ColumnsBlock['columns']} onChange={onChange} />,
  links: ({ value, onChange }) => <LinksField links={value as SocialBlock['links']} onChange={onChange} />,
  filter: ({ value, onChange }) => (
    <FilterField
      label={t.condition}
      filter={value as Record<string, unknown>}
      isReadOnly={false}
      onChange={(filter) => onChange(filter ?? { all: [] })}
    />
  ),
};
