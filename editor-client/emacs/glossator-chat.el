;;; glossator-chat.el --- Conversations, and the buffer for them  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A conversation belongs to a workspace.  Its buffer holds the turns, which cannot be changed, and
;; at its end the next question.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'glossator-server)
(require 'glossator-answer)

;;;; Conversations

(cl-defstruct (glossator-turn (:constructor glossator-make-turn))
  "A question and its ANSWER.
COMMAND and ARGUMENT ask it again, ATTACHED is what goes with it beside what its
text attaches.  NUMBER is its place in the session from 1, nil when it is not
kept there.  REPLACES is the turn that it was to replace, which is still there."
  question answer command argument attached number replaces)

(cl-defstruct (glossator-conversation (:constructor glossator--make-conversation))
  "What is asked and answered in a session."
  session-id (title "") turns)

(defvar glossator--conversations (make-hash-table :test 'equal)
  "Conversations by the root of their workspace.")

(defun glossator-conversation (server)
  "Return the conversation of SERVER's workspace."
  (let ((root (car (glossator-roots server))))
    (or (gethash root glossator--conversations)
        (puthash root (glossator--make-conversation) glossator--conversations))))

(defun glossator-begin-conversation (server &optional session-id title kept)
  "Let SERVER go on with the session SESSION-ID, or with none.
The session has a TITLE; KEPT was asked and answered in it."
  (glossator-stop-running)
  (puthash (car (glossator-roots server))
           (glossator--make-conversation :session-id session-id :title (or title "") :turns kept)
           glossator--conversations)
  (glossator-chat-refresh server))

;;;; What is attached

(defvar glossator--attached nil
  "What goes with the next question: lists of a label and what the server gets.")

(defun glossator--range-of-lines (first last)
  "Return the range from line FIRST to LAST, 1-based, for the server."
  (list :start (list :line (1- first) :character 0) :end (list :line last :character 0)))

(defconst glossator--attachment-regexp
  (let ((end "[:space:]，。？！、；：（）“”"))
    ;; What ends a sentence is no part of a name.
    (format "#\\(file\\|symbol\\):\\(?:\"\\([^\"\n]+\\)\"\\|\\([^%s]*[^%s?!.,;:)]\\)\\)" end end))
  "Matches what attaches in a question: the kind, then a value, maybe quoted.")

(defun glossator--make-attachment (kind value)
  "Return what VALUE of KIND, `file' or `symbol', attaches."
  (cond ((and (equal kind "symbol") (string-match "\\`\\(.+?\\)@\\(.+\\):\\([0-9]+\\)\\'" value))
         (let* ((name (match-string 1 value))
                (path (match-string 2 value))
                (place (list :line (1- (string-to-number (match-string 3 value))) :character 0)))
           (list name (list :kind "symbol" :symbol name :path path
                            :range (list :start place :end place)))))
        ((equal kind "symbol") (list value (list :kind "symbol" :symbol value)))
        ((string-match "\\`\\(.+\\):\\([0-9]+\\)-\\([0-9]+\\)\\'" value)
         (list value (list :kind "selection" :path (match-string 1 value)
                           :range (glossator--range-of-lines
                                   (string-to-number (match-string 2 value))
                                   (string-to-number (match-string 3 value))))))
        (t (list value (list :kind "file" :path value)))))

(defun glossator-take-attachments (question)
  "Return a list of three for QUESTION, as it is to be sent.
The text, with names for what it attaches; all attachments; and those of them
that were added by command."
  (let* ((added (nreverse glossator--attached))
         (attached (copy-sequence added))
         (text (replace-regexp-in-string
                glossator--attachment-regexp
                (lambda (word)
                  (let ((attachment (save-match-data
                                      (string-match glossator--attachment-regexp word)
                                      (glossator--make-attachment
                                       (match-string 1 word)
                                       (or (match-string 2 word) (match-string 3 word))))))
                    (setq attached (append attached (list attachment)))
                    (concat "`" (car attachment) "`")))
                question t t)))
    (setq glossator--attached nil)
    (list text attached added)))

(defun glossator-restore-attachments (kept)
  "Return what a turn of a session was given, as it is KEPT, to be given again."
  (cl-loop for each across (or kept [])
           for path = (plist-get each :path)
           for first = (plist-get each :firstLine)
           collect
           (pcase (plist-get each :kind)
             ("symbol" (glossator--make-attachment
                        "symbol" (concat (plist-get each :symbol)
                                         (and (> first 0) (format "@%s:%d" path first)))))
             ((and "selection" (guard (> first 0)))
              (glossator--make-attachment
               "file" (format "%s:%d-%d" path first (plist-get each :lastLine))))
             (_ (glossator--make-attachment "file" path)))))

;;;###autoload
(defun glossator-attach ()
  "Attach the region, or else this file, to the next question."
  (interactive)
  (let ((uri (or (glossator-buffer-uri)
                 (user-error "%s" (glossator-say "There is no file here" "此处没有文件"))))
        (name (buffer-name)))
    (push (if (use-region-p)
              (let ((first (line-number-at-pos (region-beginning) t))
                    (last (line-number-at-pos (max (point-min) (1- (region-end))) t)))
                (list (format "%s:%d-%d" name first last)
                      (list :kind "selection" :uri uri
                            :range (glossator--range-of-lines first last))))
            (list name (list :kind "file" :uri uri)))
          glossator--attached)
    (glossator-tell (glossator-say "`%s' goes with the next question" "`%s' 将随下一个问题发送")
                    (caar glossator--attached))))

;;;; The buffer

(defvar glossator-chat-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'glossator-chat-return)
    (define-key map (kbd "C-c C-c") #'glossator-chat-send)
    (define-key map (kbd "C-c C-k") #'glossator-chat-stop)
    (define-key map (kbd "C-c C-r") #'glossator-retry)
    (define-key map (kbd "C-c C-e") #'glossator-edit-question)
    (define-key map (kbd "C-c C-n") 'glossator-new-session)
    (define-key map (kbd "C-c C-l") 'glossator-list-sessions)
    (define-key map (kbd "TAB") #'glossator-chat-tab)
    (define-key map (kbd "<backtab>") #'backward-button)
    map)
  "Keys of the chat.")

(defvar-local glossator-chat--starts nil
  "Markers where the turns begin, the last one first.")

(defvar-local glossator-chat--input nil
  "Marker where the question begins.")

(defvar-local glossator-chat--edited nil
  "The turn that the next question replaces, or nil.")

(define-derived-mode glossator-chat-mode fundamental-mode "Glossator-Chat"
  "Major mode of a conversation with Glossator.
Write the question at the end; `#file:path', `#file:path:3-9' and `#symbol:name'
attach, TAB completes behind `#' and `@', and a `/' at its beginning names a
command.
\\{glossator-chat-mode-map}"
  (setq-local font-lock-defaults '(glossator-answer-font-lock-keywords t))
  (setq-local header-line-format '(:eval (glossator-chat--header)))
  (setq-local completion-at-point-functions '(glossator-chat--complete))
  (setq-local truncate-lines nil)
  ;; The question stays at the bottom, what is said above it.
  (setq-local scroll-conservatively 101)
  (visual-line-mode 1))

(defun glossator-chat--header ()
  "Return what stands above the conversation."
  (let ((conversation (glossator-conversation glossator-buffer-server)))
    (concat " " (propertize (glossator--one-line (glossator-conversation-title conversation) 40)
                            'face 'bold)
            (propertize
             (cond
              (glossator-running
               (format (glossator-say "  %s…  C-c C-k stop" "  %s…  C-c C-k 停止")
                       (glossator-answer-status glossator-running)))
              (glossator-chat--edited
               (let ((n-later (1- (length (memq glossator-chat--edited
                                                (glossator-conversation-turns conversation))))))
                 (if (zerop n-later)
                     (glossator-say "  replaces the question  C-c C-k keeps it"
                                    "  将替换该问题  C-c C-k 保留")
                   (format (glossator-say "  replaces the question and %d later  C-c C-k keeps them"
                                          "  将替换该问题及其后 %d 轮  C-c C-k 保留")
                           n-later))))
              (t
               (glossator-say "  RET send  C-c C-r retry  C-c C-e edit  C-c C-l sessions"
                              "  RET 发送  C-c C-r 重试  C-c C-e 编辑  C-c C-l 会话")))
             'face 'glossator-status))))

(defun glossator-chat--buffer (server)
  "Return the buffer of the conversation with SERVER, or nil."
  (cl-find-if (lambda (buffer)
                (and (eq 'glossator-chat-mode (buffer-local-value 'major-mode buffer))
                     (let ((other (buffer-local-value 'glossator-buffer-server buffer)))
                       (equal (car (glossator-roots other)) (car (glossator-roots server))))))
              (buffer-list)))

(defun glossator-chat--make-buffer (server)
  "Return the buffer of the conversation with SERVER, which may be new."
  (or (glossator-chat--buffer server)
      (let* ((root (or (car (glossator-roots server)) ""))
             (name (file-name-nondirectory (directory-file-name root))))
        (with-current-buffer (generate-new-buffer (format "*glossator chat: %s*" name))
          (glossator-chat-mode)
          (setq glossator-buffer-server server)
          (when (file-directory-p root)
            (setq default-directory (file-name-as-directory root)))
          (glossator-chat--draw-all)
          (current-buffer)))))

(defun glossator-chat--read-only (text &rest properties)
  "Return TEXT with PROPERTIES, which cannot be changed."
  (apply #'propertize text 'read-only t 'front-sticky '(read-only)
         'rear-nonsticky '(read-only face) properties))

(defun glossator-chat--render (turn)
  "Return TURN as text."
  (let ((answer (glossator-turn-answer turn)))
    (concat (replace-regexp-in-string "^" "> " (string-trim (glossator-turn-question turn)))
            "\n\n" (glossator-render answer)
            (if (and (glossator-answer-over answer)
                     (not (string-empty-p (glossator-answer-summary answer))))
                (concat "\n\n" (glossator-answer-summary answer))
              "")
            "\n\n")))

(defun glossator-chat--draw-turn (start turn)
  "Draw TURN, the last one, from START to the question."
  (save-excursion
    (save-restriction
      (let ((inhibit-read-only t)
            (end (copy-marker (- glossator-chat--input (length (glossator-chat--prompt))))))
        (narrow-to-region (point-min) end)
        (glossator-replace-text start (glossator-chat--render turn))
        (add-text-properties start (point-max) '(read-only t front-sticky (read-only)))
        (when (glossator-answer-over (glossator-turn-answer turn))
          (remove-overlays start (point-max))
          (glossator-add-buttons (glossator-turn-answer turn) start))
        (put-text-property start (save-excursion (goto-char start) (line-end-position))
                           'font-lock-face 'glossator-question)))))

(defun glossator-chat--prompt ()
  "Return what stands before the question."
  (glossator-say "Ask › " "提问 › "))

(defun glossator-chat--draw-all ()
  "Draw the whole conversation; what is written of the next question stays."
  (let* ((inhibit-read-only t)
         (conversation (glossator-conversation glossator-buffer-server))
         (written (if glossator-chat--input
                      (buffer-substring-no-properties glossator-chat--input (point-max))
                    "")))
    (erase-buffer)
    (delete-all-overlays)
    (setq glossator-chat--starts nil
          glossator-chat--edited (car (memq glossator-chat--edited
                                            (glossator-conversation-turns conversation))))
    (insert (glossator-chat--read-only (glossator-chat--prompt) 'font-lock-face 'minibuffer-prompt))
    (setq glossator-chat--input (point-marker))
    (insert written)
    (if (glossator-conversation-turns conversation)
        (mapc #'glossator-chat--add-turn (glossator-conversation-turns conversation))
      (save-excursion
        (goto-char (point-min))
        (insert-before-markers
         (glossator-chat--read-only
          (glossator-say "Ask about this workspace.  RET sends.  #file:path, #file:path:3-9 and \
#symbol:name attach, TAB completes # and @;\n/explain, /check, /why, /review, /sessions and /new are commands.\n\n"
                         "就此工作区提问。RET 发送。#file:路径、#file:路径:3-9 和 #symbol:名称 附加内容，TAB 补全 # 和 @；\n\
/explain、/check、/why、/review、/sessions 和 /new 是命令。\n\n")))))
    (goto-char (point-max))))

(defun glossator-chat--add-turn (turn)
  "Draw TURN below the others."
  (let ((inhibit-read-only t)
        (start (- glossator-chat--input (length (glossator-chat--prompt)))))
    (save-excursion
      (goto-char start)
      (insert-before-markers (glossator-chat--read-only (glossator-chat--render turn))))
    (push (copy-marker start) glossator-chat--starts)
    (glossator-chat--draw-turn start turn)))

(defun glossator-chat-refresh (server)
  "Draw the conversation with SERVER anew, if it has a buffer."
  (when-let ((buffer (glossator-chat--buffer server)))
    (with-current-buffer buffer
      (setq glossator-buffer-server server)
      (glossator-chat--draw-all)
      (dolist (window (get-buffer-window-list buffer nil t))
        (set-window-point window (point-max))))))

(defun glossator-chat--redraw (answer)
  "Draw ANSWER if it is that of the last turn of a chat."
  (when-let ((buffer (glossator-chat--buffer (glossator-answer-server answer))))
    (with-current-buffer buffer
      (let ((turn (car (last (glossator-conversation-turns
                              (glossator-conversation glossator-buffer-server))))))
        (when (and turn glossator-chat--starts (eq answer (glossator-turn-answer turn)))
          (glossator-chat--draw-turn (marker-position (car glossator-chat--starts)) turn)
          (force-mode-line-update))))))

;;;; Asking

(defun glossator-ask-turn (server command argument question &optional attached replaced)
  "Run COMMAND with ARGUMENT on SERVER as the next turn, put as QUESTION.
ATTACHED is what goes with it beside what its text attaches.  With the turn
REPLACED it takes the place of that and of all below it.
It is shown in the chat if that is seen, else in the buffer of answers."
  (glossator-stop-running)
  (let* ((conversation (glossator-conversation server))
         (place (glossator-chat--free-place conversation replaced))
         (turns (glossator-conversation-turns conversation))
         (later (memq place turns))
         (before (butlast turns (length later)))
         (kept (lambda (some) (cl-count-if #'glossator-turn-number some)))
         (is-replacing (> (funcall kept later) 0))
         (answer (glossator--make-answer :title question :server server))
         (turn (glossator-make-turn :question question :answer answer :command command
                                    :argument argument :attached attached)))
    (setf (glossator-conversation-turns conversation) (append before (list turn)))
    (when (string-empty-p (glossator-conversation-title conversation))
      (setf (glossator-conversation-title conversation) question))
    (glossator-chat--show-turn server turn)
    (setf (glossator-answer-on-over answer)
          (lambda (result)
            (when result
              (setf (glossator-conversation-session-id conversation) (plist-get result :sessionId)
                    (glossator-turn-number turn) (plist-get result :number)))
            (when (and is-replacing (not (glossator-turn-number turn)))
              (glossator-chat--bring-back server before later turn))))
    (glossator-run answer command
                   (append argument
                           (when-let ((id (glossator-conversation-session-id conversation)))
                             (list :sessionId id))
                           (when is-replacing
                             (list :keepTurns (funcall kept before)
                                   :ofTurns (funcall kept turns)))))))

(defun glossator-chat--free-place (conversation turn)
  "Return what stands in CONVERSATION where TURN is asked anew.
That is the turn itself, or the one that it was to replace."
  (if (not (and turn (glossator-turn-replaces turn)))
      turn
    (setf (glossator-conversation-turns conversation)
          (remq turn (glossator-conversation-turns conversation)))
    (glossator-turn-replaces turn)))

(defun glossator-chat--bring-back (server before later turn)
  "SERVER has kept LATER, which TURN was to replace behind BEFORE: show it again."
  (let ((conversation (glossator-conversation server)))
    (when (eq turn (car (last (glossator-conversation-turns conversation))))
      (setf (glossator-turn-replaces turn) (car later)
            (glossator-conversation-turns conversation) (append before later (list turn)))
      (glossator-chat-refresh server)
      (glossator-tell (glossator-say "nothing was replaced: the new turn was not kept"
                                     "没有替换任何内容：新的一轮未被保留")))))

(defun glossator-chat--show-turn (server turn)
  "Show TURN, the last one of the conversation with SERVER."
  (let ((buffer (glossator-chat--buffer server))
        (answer (glossator-turn-answer turn)))
    (if (not (and buffer (get-buffer-window buffer t)))
        (glossator-show answer)
      (setf (glossator-answer-redraw answer) #'glossator-chat--redraw)
      (with-current-buffer buffer (glossator-chat--draw-all)))))

(defun glossator-ask-question (server question target &optional replaced)
  "Ask SERVER the QUESTION about TARGET; what it attaches is read from its text.
With the turn REPLACED it takes the place of that."
  (pcase-let ((`(,text ,attached ,added) (glossator-take-attachments question)))
    (glossator-ask-turn server "glossator.ask"
                        (append (list :question text) (glossator-chat--to-wire attached) target)
                        question added replaced)))

(defun glossator-chat--to-wire (attached)
  "Return the part of an argument for what is ATTACHED."
  (and attached (list :attachments (vconcat (mapcar #'cadr attached)))))

(defun glossator-chat--question (server)
  "Return the question at point in the chat with SERVER, else the last one.
Return nil, and say so, when there is none."
  (let* ((turns (glossator-conversation-turns (glossator-conversation server)))
         (index (and (derived-mode-p 'glossator-chat-mode) (< (point) glossator-chat--input)
                     (cl-position-if (lambda (start) (<= start (point)))
                                     (reverse glossator-chat--starts) :from-end t)))
         (turn (if index (nth index turns) (car (last turns)))))
    (or turn
        (progn (glossator-tell (glossator-say "nothing was asked yet" "还没有提过问题")) nil))))

;;;###autoload
(defun glossator-retry ()
  "Ask the last question again, in its place; in the chat the one at point."
  (interactive)
  (let* ((server (glossator-server))
         (turn (glossator-chat--question server)))
    (when turn
      (let ((argument (glossator-turn-argument turn))
            (attached (glossator-turn-attached turn)))
        (glossator-ask-turn server (glossator-turn-command turn)
                            (if (plist-member argument :attachments)
                                argument
                              (append argument (glossator-chat--to-wire attached)))
                            (glossator-turn-question turn) attached turn)))))

;;;###autoload
(defun glossator-edit-question ()
  "Put the last question into the chat to change it; in the chat the one at point.
What is sent then takes its place and that of all below it."
  (interactive)
  (let* ((server (glossator-server))
         (turn (glossator-chat--question server)))
    (when turn
      (glossator-open-chat server)
      (delete-region glossator-chat--input (point-max))
      (insert (glossator-turn-question turn))
      (setq glossator-chat--edited turn
            glossator--attached (reverse (glossator-turn-attached turn)))
      (force-mode-line-update))))

(defun glossator-chat-stop ()
  "Stop the answer that arrives; else leave the question that is edited as it is."
  (interactive)
  (if (or glossator-running (not glossator-chat--edited))
      (call-interactively 'glossator-stop)
    (setq glossator-chat--edited nil
          glossator--attached nil)
    (delete-region glossator-chat--input (point-max))
    (force-mode-line-update)))

(defun glossator-open-chat (server)
  "Show the conversation with SERVER, with point in the question."
  (let ((buffer (glossator-chat--make-buffer server)))
    (with-current-buffer buffer (setq glossator-buffer-server server))
    (pop-to-buffer buffer)
    (glossator-chat--draw-all)
    (goto-char (point-max))
    (recenter -1)))

;;;###autoload
(defun glossator-chat ()
  "Open the conversation of this workspace."
  (interactive)
  (glossator-open-chat (glossator-server)))

;;;; In the buffer

(defconst glossator-chat--commands
  '(("/explain" . glossator-chat--explain) ("/problem" . glossator-chat--explain-problem)
    ("/chain" . glossator-chat--chain)
    ("/check" . glossator-chat--check) ("/why" . glossator-why)
    ("/review" . glossator-review-changes) ("/sessions" . glossator-list-sessions)
    ("/new" . glossator-new-session) ("/figures" . glossator-figures)
    ("/status" . glossator-status) ("/retry" . glossator-retry))
  "Commands of the chat.")

(defun glossator-chat--in-code (command)
  "Run COMMAND where the code is that was looked at last."
  (let ((buffer (cl-find-if (lambda (each)
                              (with-current-buffer each
                                (and buffer-file-name
                                     (run-hook-with-args-until-success
                                      'glossator-server-functions))))
                            (buffer-list))))
    (if buffer
        (with-current-buffer buffer (call-interactively command))
      (glossator-tell (glossator-say "open a file first" "请先打开一个文件")))))

(defun glossator-chat--explain ()
  "Explain the function at point in the code."
  (interactive)
  (glossator-chat--in-code 'glossator-explain))

(defun glossator-chat--explain-problem ()
  "Explain what is reported at point in the code."
  (interactive)
  (glossator-chat--in-code 'glossator-explain-problem))

(defun glossator-chat--chain ()
  "Show the call chain of the function at point in the code."
  (interactive)
  (glossator-chat--in-code 'glossator-call-chain))

(defun glossator-chat--check ()
  "Check the file of the code."
  (interactive)
  (glossator-chat--in-code 'glossator-check))

(defun glossator-chat-send ()
  "Send the question, or run the command, at the end of the buffer."
  (interactive)
  (let* ((question (string-trim (buffer-substring-no-properties glossator-chat--input
                                                                (point-max))))
         (command (cdr (assoc question glossator-chat--commands)))
         (replaced glossator-chat--edited))
    (when (string-empty-p question)
      (user-error "%s" (glossator-say "Write a question first" "请先写下问题")))
    (delete-region glossator-chat--input (point-max))
    (goto-char (point-max))
    (setq glossator-chat--edited nil)
    (if command
        (call-interactively command)
      (glossator-ask-question glossator-buffer-server question nil replaced))))

(defun glossator-chat-return ()
  "Open the place at point, or send the question."
  (interactive)
  (cond ((button-at (point)) (push-button (point)))
        ((>= (point) glossator-chat--input) (glossator-chat-send))
        (t (goto-char (point-max)))))

(defun glossator-chat-tab ()
  "Complete in the question; elsewhere go to the next place."
  (interactive)
  (let ((start (glossator-chat--word-start)))
    (cond ((< (point) glossator-chat--input) (forward-button 1 t))
          ((memq (char-after start) '(?# ?@)) (glossator-chat--complete-attachment start))
          (t (completion-at-point)))))

(defun glossator-chat--word-start ()
  "Return where the word before point begins; a name in quotes is one word."
  (save-excursion
    (if (looking-back "#\\(?:file\\|symbol\\):\"[^\"\n]*" glossator-chat--input)
        (match-beginning 0)
      (skip-chars-backward "^ \t\n" glossator-chat--input)
      (max (point) glossator-chat--input))))

(defun glossator-chat--complete ()
  "Complete commands in the question."
  (let ((start (glossator-chat--word-start)))
    (when (eq (char-after start) ?/)
      (list start (point) (mapcar #'car glossator-chat--commands)))))

(defun glossator-chat--complete-attachment (start)
  "Complete from START what can be attached, by letters of its name."
  (let* ((word (buffer-substring-no-properties start (point)))
         (is-symbol (string-match-p "\\`\\(?:@\\|#symbol:\\)" word))
         (letters (replace-regexp-in-string "\\`\\(?:@\\|#file:\"?\\|#symbol:\"?\\|#\\)" "" word))
         (found (glossator-request glossator-buffer-server "glossator.listAttachable"
                                   (list :kind (if is-symbol "symbol" "file") :query letters)))
         (words (glossator-chat--spell-attachable (append (plist-get found :items) nil))))
    (if (null words)
        (glossator-tell (glossator-say "nothing is called so" "没有这样的名称"))
      (let ((chosen (if (cdr words) (glossator-chat--choose words) (car words))))
        (delete-region start (point))
        (insert (cdr chosen))))))

(defun glossator-chat--choose (words)
  "Return one of WORDS, pairs of what is shown and what it means; all are shown."
  (let ((completion-styles '(basic substring flex)))
    (assoc (minibuffer-with-setup-hook #'minibuffer-completion-help
             (completing-read (format (glossator-say "Attach (default %s): " "附加（默认 %s）：")
                                      (caar words))
                              words nil t nil nil (caar words)))
           words)))

(defun glossator-chat--spell-attachable (items)
  "Return pairs for ITEMS of the server: what is shown, and words of a question.
Names that several have are told apart by their place."
  (let ((names (mapcar (lambda (item) (plist-get item :name)) items)))
    (cl-loop for item in items
             for name = (plist-get item :name)
             for path = (plist-get item :path)
             for place = (format "%s:%d" path (plist-get item :line))
             collect
             (cond ((equal "file" (plist-get item :kind))
                    (cons path (glossator-chat--spell "file" path)))
                   ((> (cl-count name names :test #'equal) 1)
                    (cons (concat name "  " place)
                          (glossator-chat--spell "symbol" (concat name "@" place))))
                   (t (cons (concat name "  " place) (glossator-chat--spell "symbol" name)))))))

(defun glossator-chat--spell (kind value)
  "Return VALUE of KIND as it is written in a question, quoted where it has to be."
  (let ((word (format "#%s:%s" kind value)))
    (if (and (string-match glossator--attachment-regexp word)
             (equal word (match-string 0 word)))
        word
      (format "#%s:\"%s\"" kind value))))

(provide 'glossator-chat)
;;; glossator-chat.el ends here
