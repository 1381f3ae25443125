import { clickMenuItem, clickButton, recordingActionsLabel, type DialogGroup } from './scene-tools.ts'

/** Of the library, its trash, cases, alerts and the search. */
export const libraryDialogs: DialogGroup[] = [
  {
    path: '/dashboard?search=sample',
    dialogs: {
      'account menu': clickButton(/^Account menu/),
      'menu of a recording': clickButton(recordingActionsLabel),
      'tags of a recording': clickMenuItem(recordingActionsLabel, 'Tags…'),
      'activity of a recording': clickMenuItem(recordingActionsLabel, 'Activity'),
      'legal hold of a recording': clickMenuItem(recordingActionsLabel, 'Legal hold…'),
      'saved filters': clickButton('Saved filters'),
      'save a filter': clickMenuItem('Saved filters', 'Save this filter…'),
      'manage filters': clickMenuItem('Saved filters', 'Rename or delete…'),
      dates: clickButton('Date'),
    },
  },
  {
    path: '/dashboard',
    begin: (page) => page.getByRole('checkbox', { name: /^Select sample-call/ }).click(),
    dialogs: {
      'transcribe a selection': clickButton('Transcribe…'),
      'translate a selection': clickButton('Translate…'),
      'download a selection': clickButton('Download…'),
      'add a selection to a case': clickButton('Add to case…'),
    },
  },
  {
    path: '/trash',
    dialogs: {
      'delete for good': clickButton('Delete sample-call.mp3 for good'),
      'empty the trash': clickButton('Empty the trash'),
      'activity of a deleted recording': clickButton(/^Activity of sample-call/),
    },
  },
  { path: '/cases', dialogs: { 'new case': clickButton('New case') } },
  {
    path: '/cases?case=CASE',
    dialogs: {
      'menu of a case': clickButton('More actions for the case'),
      'edit a case': clickButton('Edit'),
      'legal hold of a case': clickMenuItem('More actions for the case', 'Legal hold…'),
      'delete a case': clickMenuItem('More actions for the case', 'Delete the case'),
    },
  },
  {
    path: '/alerts?tab=watch-lists',
    dialogs: {
      'new watch list': clickButton('Add a watch list'),
      'menu of a watch list': clickButton('More for Harbour'),
      'change a watch list': clickMenuItem('More for Harbour', 'Change'),
      'delete a watch list': clickMenuItem('More for Harbour', 'Delete'),
    },
  },
  {
    path: '/search?q=bridge',
    dialogs: { 'how to search': clickButton('How to search'), 'speakers of results': clickButton('Speaker') },
  },
]
