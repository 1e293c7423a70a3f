import type { Editor } from '@tiptap/core';
import { createContext } from 'react';

/** The text editor of the block that is being edited. */
export const EditorContext = createContext<Editor | undefined>(undefined);
