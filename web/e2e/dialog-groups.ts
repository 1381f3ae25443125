import type { DialogGroup } from './scene-tools.ts'
import { accountDialogs } from './dialogs-account.ts'
import { consoleDialogs } from './dialogs-console.ts'
import { deskDialogs } from './dialogs-desk.ts'
import { editingDialogs } from './dialogs-editing.ts'
import { libraryDialogs } from './dialogs-library.ts'
import { versionDialogs } from './dialogs-versions.ts'

/** All that opens on pages and has no scene of scenes.ts. */
export const dialogGroups: DialogGroup[] = [
  ...libraryDialogs,
  ...deskDialogs,
  ...editingDialogs,
  ...versionDialogs,
  ...accountDialogs,
  ...consoleDialogs,
]
