import type { DialogGroup } from './scene-tools.ts'
import { accountDialogs } from './dialogs-account.ts'
import { consoleDialogs } from './dialogs-console.ts'
import { deskDialogs } from './dialogs-desk.ts'
import { editingDialogs } from './dialogs-editing.ts'
import { libraryDialogs } from './dialogs-library.ts'
import { versionDialogs } from './dialogs-versions.ts'

/** Everything that opens on a page and has no scene in scenes.ts. */
export const dialogGroups: DialogGroup[] = [
  ...libraryDialogs,
  ...deskDialogs,
  ...editingDialogs,
  ...versionDialogs,
  ...accountDialogs,
  ...consoleDialogs,
]
