import { Text } from '@mantine/core'
import IconVocabulary from '@tabler/icons-react/dist/esm/icons/IconVocabulary.mjs'
import { t } from '#contract/texts/t.ts'
import { maxListedWords } from '#contract/word-lists.ts'
import { ErrorNotice, LoadingNotice } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { useWordList } from './use-word-list.ts'
import { WordListEditor } from './word-list-editor.tsx'

interface WordListPanelProps {
  /** The id of a case; null for the user's own list. */
  caseId: string | null
  canEdit: boolean
}

/** The words and names of the user, or of a case. */
export function WordListPanel({ caseId, canEdit }: WordListPanelProps) {
  const { data, isPending, refetch, change } = useWordList(caseId)
  const count = data?.words.length ?? 0
  return (
    <Panel
      title={t('Words and names')}
      icon={<IconVocabulary size={20} stroke={1.5} aria-hidden />}
      note={
        count > 0 && (
          <Text size="sm" c="dimmed">
            {t('{count, number} of {max, number}', { count, max: maxListedWords })}
          </Text>
        )
      }
    >
      {data && (
        <WordListEditor
          words={data.words}
          canEdit={canEdit}
          isOfCase={caseId !== null}
          onChange={(make) => change.mutateAsync(make)}
        />
      )}
      {isPending && <LoadingNotice label={t('Loading the words')} />}
      {!data && !isPending && (
        <ErrorNotice message={t('The words could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </Panel>
  )
}
