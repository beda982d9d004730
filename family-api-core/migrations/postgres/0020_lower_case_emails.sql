-- E-mail addresses are stored in lower case (the letters A to Z), so that a user signs in whatever the capitals. Of users
-- whose addresses differ only in capitals, at most one gets the address in lower case. The others keep their addresses,
-- and sign in with exactly these capitals. The collation of the column limits lower() to A to Z.
UPDATE users SET email = lower(email)
WHERE id IN (SELECT min(id) FROM users GROUP BY lower(email) HAVING NOT bool_or(email = lower(email)));
