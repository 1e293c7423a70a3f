// Where a picture comes from: this machine, the pictures that were uploaded before, or an address.
import { Button, FileButton, Group, Menu, TextInput } from '@mantine/core';
import { mostFileBytes, pictureTypes } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../../api/ask.ts';
import { useApi } from '../../../../api/session/session.tsx';
import { UploadIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import { noTransition } from '../../../../theme/theme.ts';
import { picturesQuery, uploadPicture } from '../design-api.ts';
import { ownPicture } from '../model/look.ts';
import classes from './panel.module.css';

const accept = Object.keys(pictureTypes).join(',');

export function PictureField({ src, onChange }: { src: string; onChange: (src: string) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [state, setState] = useState<{ isBusy: boolean; fault?: string }>({ isBusy: false });
  const upload = async (file: File | null) => {
    if (!file) return;
    if (file.size > mostFileBytes) return setState({ isBusy: false, fault: t.pictureTooLarge });
    setState({ isBusy: true });
    try {
      onChange(await uploadPicture(api, file));
      setState({ isBusy: false });
      void queries.invalidateQueries(about('files'));
    } catch (error) {
      setState({ isBusy: false, fault: (error as Error).message });
    }
  };
  return (
    <>
      <Group gap="xs">
        <FileButton onChange={upload} accept={accept}>
          {(props) => (
            <Button {...props} size="xs" leftSection={<UploadIcon size={14} />} loading={state.isBusy}>
              {t.upload}
            </Button>
          )}
        </FileButton>
        <EarlierPictures onChoose={onChange} />
      </Group>
      <TextInput
        label={t.pictureAddress}
        placeholder={t.hrefHint}
        value={src}
        error={state.fault}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}

function EarlierPictures({ onChoose }: { onChoose: (src: string) => void }) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...picturesQuery(api), enabled: isOpen });
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={280} {...noTransition}>
      <Menu.Target>
        <Button size="xs" variant="default">
          {t.earlierPictures}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.pictures ?? ''}>
        {data?.rows.length === 0 && <Menu.Label>{t.noPictures}</Menu.Label>}
        {data?.rows.map(({ fileId, url, name, width, height }) => (
          <Menu.Item
            key={fileId}
            leftSection={<img src={ownPicture(url)} alt="" className={classes.thumb} />}
            onClick={() => onChoose(url)}
          >
            {name}
            <span className={classes.kindText}>{t.pictureSize(width, height)}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
