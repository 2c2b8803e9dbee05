/** The chips of what is attached: in a row above the question, removed by key or mouse. */

import { chipKey, type Chip } from '../shared/attachments';
import { fill, type PanelStrings } from '../shared/strings';
import { makeButton } from './actions';
import { make, makeIcon, type Icon } from './dom';

const ICONS: Record<Chip['kind'], Icon> = { file: 'file', selection: 'text', symbol: 'symbol' };

/** Draw a chip that only tells: in the composer its buttons are added. */
export function makeAttachmentChip(chip: Chip, strings: PanelStrings): HTMLElement {
  const trouble = describeTrouble(chip, strings);
  const element = make(
    'span',
    { class: 'attachment', title: trouble ? `${chip.place}: ${trouble}` : chip.place },
    makeIcon(chip.problem ? 'warning' : ICONS[chip.kind]),
    make('span', { class: 'attachment-name', text: chip.label }),
  );
  element.dataset['kind'] = chip.kind;
  if (chip.problem) {
    element.dataset['problem'] = 'yes';
  }
  return element;
}

/** What is wrong with an attachment, or is left out of it. */
export function describeTrouble(chip: Chip, strings: PanelStrings): string {
  return chip.problem ?? (chip.nLinesLeftOut ? fill(strings.linesLeftOut, chip.nLinesLeftOut) : '');
}

export class ChipList {
  readonly element: HTMLElement;
  private chips: Chip[] = [];

  constructor(
    private readonly strings: PanelStrings,
    private readonly actions: { changed: () => void; leave: () => void },
  ) {
    this.element = make('ul', {
      class: 'attachments',
      hidden: true,
      attributes: { 'aria-label': strings.attached },
    });
    this.element.addEventListener('keydown', (event) => {
      this.press(event);
    });
  }

  get all(): readonly Chip[] {
    return this.chips;
  }

  /** Add chips that are not there yet; returns those that are new. */
  add(chips: readonly Chip[]): Chip[] {
    const known = new Set(this.chips.map(chipKey));
    const fresh = new Map(chips.map((chip) => [chipKey(chip), chip]));
    const added = [...fresh].filter(([key]) => !known.has(key)).map(([, chip]) => chip);
    this.put([...this.chips, ...added]);
    return added;
  }

  put(chips: readonly Chip[]): void {
    this.chips = [...chips];
    this.element.hidden = chips.length === 0;
    this.element.replaceChildren(...this.chips.map((chip, index) => this.makeItem(chip, index)));
    this.actions.changed();
  }

  focusLast(): void {
    this.buttons().at(-1)?.focus();
  }

  private makeItem(chip: Chip, index: number): HTMLElement {
    const element = makeAttachmentChip(chip, this.strings);
    const label = fill(this.strings.removeAttachment, chip.place);
    const look = { label, class: 'attachment-remove', icon: 'close', iconOnly: true } as const;
    element.append(
      makeButton(look, () => {
        this.remove(index);
      }),
    );
    return make('li', {}, element);
  }

  private remove(index: number): void {
    this.put(this.chips.filter((_, each) => each !== index));
    const next = this.buttons()[Math.min(index, this.chips.length - 1)];
    if (next) {
      next.focus();
    } else {
      this.actions.leave();
    }
  }

  private press(event: KeyboardEvent): void {
    const buttons = this.buttons();
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      this.remove(index);
    } else if (event.key === 'ArrowLeft') {
      buttons[index - 1]?.focus();
    } else if (event.key === 'ArrowRight') {
      (buttons[index + 1] ?? null)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      this.actions.leave();
    }
  }

  private buttons(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll('button')];
  }
}
