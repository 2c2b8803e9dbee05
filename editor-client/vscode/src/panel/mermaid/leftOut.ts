/** Stands in for parts of Mermaid that the panel does without: formulas and pictograms. */

function refuse(): never {
  throw new Error('Formulas and pictograms are not drawn.');
}

export default { renderToString: refuse };
export const getIconData = refuse;
export const iconToHTML = refuse;
export const iconToSVG = refuse;
export const replaceIDs = refuse;
export const stringToIcon = refuse;
