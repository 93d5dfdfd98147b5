"""What lies in the inbox: tenders, packs and their files, with archives and e-mails unpacked."""
