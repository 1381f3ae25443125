import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import type { ListedWord } from '#contract/word-lists.ts'
import { rich } from '../texts/rich.tsx'
import { DirectionalText } from '../ui/directional-text.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Isolated } from '../ui/isolated.tsx'
import classes from './word-list.module.css'

interface ListedWordRowProps {
  entry: ListedWord
  canEdit: boolean
  onEdit: () => void
  onRemove: () => void
}

/** A word with how it was heard instead. */
export function ListedWordRow({ entry, canEdit, onEdit, onRemove }: ListedWordRowProps) {
  const { word, heard_as: others } = entry
  return (
    <li className={classes.row} data-word={word}>
      <div className={classes.texts}>
        <DirectionalText as="span" language={null} className={classes.word}>
          {word}
        </DirectionalText>
        {others.length > 0 && (
          <div className={classes.others}>
            {rich('also heard as {words}', {
              words: (
                <>
                  {others.map((other, index) => (
                    <span key={other}>
                      {index > 0 && ', '}
                      <Isolated>{other}</Isolated>
                    </span>
                  ))}
                </>
              ),
            })}
          </div>
        )}
      </div>
      {canEdit && (
        <div className={classes.actions}>
          <IconButton label={t('Edit {word}', { word: isolateName(word) })} onClick={onEdit}>
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </IconButton>
          <IconButton label={t('Remove {word}', { word: isolateName(word) })} onClick={onRemove}>
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </IconButton>
        </div>
      )}
    </li>
  )
}
