import { openByMenu, press, recordingActions, type DialogGroup } from './scene-tools.ts'

/** Of the library, its trash, cases, alerts and the search. */
export const libraryDialogs: DialogGroup[] = [
  {
    path: '/dashboard?search=sample',
    dialogs: {
      'account menu': press(/^Account menu/),
      'menu of a recording': press(recordingActions),
      'tags of a recording': openByMenu(recordingActions, 'Tags…'),
      'activity of a recording': openByMenu(recordingActions, 'Activity'),
      'legal hold of a recording': openByMenu(recordingActions, 'Legal hold…'),
      'saved filters': press('Saved filters'),
      'save a filter': openByMenu('Saved filters', 'Save this filter…'),
      'manage filters': openByMenu('Saved filters', 'Rename or delete…'),
      dates: press('Date'),
    },
  },
  {
    path: '/dashboard',
    begin: (page) => page.getByRole('checkbox', { name: /^Select sample-call/ }).click(),
    dialogs: {
      'transcribe a selection': press('Transcribe…'),
      'translate a selection': press('Translate…'),
      'download a selection': press('Download…'),
      'add a selection to a case': press('Add to case…'),
    },
  },
  {
    path: '/trash',
    dialogs: {
      'delete for good': press('Delete sample-call.mp3 for good'),
      'empty the trash': press('Empty the trash'),
      'activity of a deleted recording': press(/^Activity of sample-call/),
    },
  },
  { path: '/cases', dialogs: { 'new case': press('New case') } },
  {
    path: '/cases?case=CASE',
    dialogs: {
      'menu of a case': press('More actions for the case'),
      'edit a case': press('Edit'),
      'legal hold of a case': openByMenu('More actions for the case', 'Legal hold…'),
      'delete a case': openByMenu('More actions for the case', 'Delete the case'),
    },
  },
  {
    path: '/alerts?tab=watch-lists',
    dialogs: {
      'new watch list': press('Add a watch list'),
      'menu of a watch list': press('More for Harbour'),
      'change a watch list': openByMenu('More for Harbour', 'Change'),
      'delete a watch list': openByMenu('More for Harbour', 'Delete'),
    },
  },
  {
    path: '/search?q=bridge',
    dialogs: { 'how to search': press('How to search'), 'speakers of results': press('Speaker') },
  },
]
