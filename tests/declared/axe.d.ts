// The library axe-core, which a page loads.
declare const axe: void;
export default axe;
