// The frame of every page.
export const metadata = { title: "ask-user in Next.js" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
