// The frame of every page, which Next.js asks for.
export default ({ children }) => <html lang="en"><body>{children}</body></html>;
