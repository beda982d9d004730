INSERT INTO household (id, title) VALUES ('linden', 'Linden Street 4');

INSERT INTO person (id, household, name, mail, emoji, currency, zone, api_open, changed) VALUES
    ('ines', 'linden', 'Ines', 'ines@linden.example', '🦊', 'EUR', 'Europe/Lisbon', 1, unixepoch() * 1000),
    ('joao', 'linden', 'João', 'joao@linden.example', NULL, 'EUR', 'Europe/Lisbon', 0, unixepoch() * 1000);

INSERT INTO wall (id, household, title, emoji, place, made, changed)
VALUES ('kitchen', 'linden', 'Kitchen wall', '🍳', 0, unixepoch() * 1000, unixepoch() * 1000);

INSERT INTO lane (id, wall, title, place, made) VALUES
    ('todo', 'kitchen', 'To do', 0, unixepoch() * 1000),
    ('doing', 'kitchen', 'Under way', 1, unixepoch() * 1000);

INSERT INTO chore (id, lane, title, urgency, state, place, labels, doer, author, made, changed)
VALUES ('bread', 'todo', 'Bake bread', 'high', 'open', 0, '["kitchen"]', 'joao', 'ines', unixepoch() * 1000,
    unixepoch() * 1000);

INSERT INTO memo (id, household, title, body, pinned, author, made, changed)
VALUES ('stove', 'linden', 'The stove', 'Ashes out on Fridays.', 1, 'joao', unixepoch() * 1000, unixepoch() * 1000);
